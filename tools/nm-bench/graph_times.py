# graph_times.py - Times of CUDA graphs that are compared.
#
# Part of nm, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures calls into CUDA graphs and times several of them by turns. A GPU's clock depends
on what ran in the last fraction of a second: the times of one graph of large products differ
by 5 to 12 %, by what was measured before it, and are longest behind cuBLAS. Torch is handed over by the
caller, so that --help needs none."""

import statistics

# Each graph has so many turns, and every other one goes through the graphs backwards. The number
# is a guess at what evens drifts out.
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


def time_by_turns(torch, graphs):
    """Microseconds of a replay of each graph: the median of all turns."""
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def replay(graph):
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end)

    times = [[] for _ in graphs]
    for turn in range(TURNS):
        pairs = list(zip(graphs, times))
        for graph, found in pairs if turn % 2 == 0 else reversed(pairs):
            warm_up = 0
            while warm_up < WARM_UP_MS:
                warm_up += replay(graph)
            found.extend(replay(graph) for _ in range(REPLAYS))
    return [round(1000 * statistics.median(found), 2) for found in times]
