"""Graphs that are timed by turns, with a stand-in for the GPU.

Part of nm, under the Apache License v2.0 with LLVM Exceptions.
SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import contextlib
import types

import graph_times
import pytest


class Gpu:
    """A clock in milliseconds, which replays of graphs move."""

    def __init__(self):
        self.now, self.replays = 0.0, []
        self.cuda = types.SimpleNamespace(Event=self.make_event)

    def make_event(self, enable_timing):
        event = types.SimpleNamespace(at=0.0, synchronize=lambda: None)
        event.record = lambda: setattr(event, "at", self.now)
        event.elapsed_time = lambda end: end.at - event.at
        return event

    def make_graph(self, name, milliseconds):
        def replay():
            self.now += milliseconds
            self.replays.append(name)

        return types.SimpleNamespace(replay=replay)


@pytest.mark.parametrize("milliseconds", [0.25, 40])
def test_graphs_take_turns(milliseconds):
    gpu = Gpu()
    graphs = [gpu.make_graph("a", milliseconds), gpu.make_graph("b", 2.5)]
    assert graph_times.time_by_turns(gpu, graphs) == [1000 * milliseconds, 2500]
    order = [gpu.replays[0]]
    order += [two for one, two in zip(gpu.replays, gpu.replays[1:]) if one != two]
    assert "".join(order) == "abababab"
    # Those that are timed come behind as much time as warms up.
    warming = max(1, round(graph_times.WARM_UP_MS / milliseconds))
    assert gpu.replays.count("a") == graph_times.TURNS * (warming + graph_times.REPLAYS)


@pytest.mark.parametrize("count", range(1, 8))
def test_no_graph_follows_itself(count):
    turns = graph_times.order_turns(count)
    assert all(sorted(turn) == list(range(count)) for turn in turns)
    order = [place for turn in turns for place in turn]
    assert count == 1 or all(one != two for one, two in zip(order, order[1:]))


def test_each_of_four_follows_each_other():
    pairs = [pair for turn in graph_times.order_turns(4) for pair in zip(turn, turn[1:])]
    assert sorted(pairs) == [(one, two) for one in range(4) for two in range(4) if one != two]


def test_kernels_by_name():
    """Medians over all launches of a kernel; what ran on the CPU is none."""
    times = [("a", "gpu", 3), ("b", "gpu", 7), ("a", "gpu", 5), ("call", "cpu", 90), ("a", "gpu", 4)]
    events = [
        types.SimpleNamespace(name=name, device_type=device,
                              time_range=types.SimpleNamespace(elapsed_us=lambda us=us: us))
        for name, device, us in times
    ]

    @contextlib.contextmanager
    def profile(activities):
        assert activities == ["activity"]
        yield types.SimpleNamespace(events=lambda: events)

    replays = []
    torch = types.SimpleNamespace(
        autograd=types.SimpleNamespace(DeviceType=types.SimpleNamespace(CUDA="gpu")),
        cuda=types.SimpleNamespace(synchronize=lambda: None),
        profiler=types.SimpleNamespace(
            ProfilerActivity=types.SimpleNamespace(CUDA="activity"), profile=profile),
    )
    graph = types.SimpleNamespace(replay=lambda: replays.append(graph))
    assert graph_times.time_kernels(torch, graph, replays=2) == {"a": 4, "b": 7}
    assert len(replays) == 3
