# graph_times.py - Times of CUDA graphs that are compared.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures calls into CUDA graphs and times several of them by turns. A GPU's clock depends
on what ran in the last fraction of a second: the times of one graph of large products differ
by 5 to 12 %, by what was measured before it, and are longest behind cuBLAS. Torch is handed over by the
caller, so that --help needs none."""

import collections
import itertools
import statistics

# Each graph has so many turns. Four graphs follow each other once each in as many
# (order_turns); for fewer the number is a guess at what evens drifts out.
TURNS = 4
# A graph is replayed for so many milliseconds in each turn before it is timed, so that what ran
# before it is hardly felt. decode_times.py has 50, for one turn; this is a guess for four.
WARM_UP_MS = 30
# So many replays are timed in a turn. It is a guess: with the turns they are 20.
REPLAYS = 5


def capture(torch, call):
    """A CUDA graph of a call, after three others on a stream of their own, as PyTorch asks."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    return graph


def order_turns(count):
    """The places of `count` graphs in the order of each turn. No graph follows itself, from one
    turn to the next neither, and of four each follows each of the others: Williams' design of
    trials in which a treatment is felt in the next one."""
    if count < 3:
        return [list(range(count))] * TURNS
    zigzag = [0, *(sign * place for place in range(1, count) for sign in (1, -1))][:count]
    return [[(place + turn) % count for place in zigzag] for turn in range(TURNS)]


def time_by_turns(torch, graphs):
    """Microseconds of a replay of each graph: the median of all turns (order_turns)."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def replay(graph):
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    graphs = list(graphs)
    times = [[] for _ in graphs]
    for place in itertools.chain(*order_turns(len(graphs))):
        warm_up = 0
        while warm_up < WARM_UP_MS:
            warm_up += replay(graphs[place])
        times[place].extend(replay(graphs[place]) for _ in range(REPLAYS))
    return [round(1000 * statistics.median(found), 2) for found in times]


def profile_kernels(torch, graph, replays):
    """The microseconds of all launches of each kernel of a graph, by its name, as CUPTI sees them.
    Of launches that overlap, each counts what it waits for the one before."""
    graph.replay()
    cuda = torch.profiler.ProfilerActivity.CUDA
    with torch.profiler.profile(activities=[cuda]) as profile:
        for _ in range(replays):
            graph.replay()
        torch.cuda.synchronize()
    times = collections.defaultdict(list)
    for event in profile.events():
        if event.device_type == torch.autograd.DeviceType.CUDA:
            times[event.name].append(event.time_range.elapsed_us())
    return times


def time_kernels(torch, graph, replays=20):
    """The median microseconds of a launch of each kernel of a graph, by its name."""
    times = profile_kernels(torch, graph, replays)
    return {name: round(statistics.median(found), 2) for name, found in times.items()}


def sum_kernels(torch, graph, replays=20):
    """Of each kernel of a graph, by its name: the microseconds of all its launches in a replay,
    on average, and their number."""
    times = profile_kernels(torch, graph, replays)
    return {name: (round(sum(found) / replays, 2), len(found) // replays)
            for name, found in times.items()}
