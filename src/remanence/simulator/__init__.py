"""The benchmarks: data sets are read, asked by a protocol of several contenders, and reported.

    datasets → protocols (× contenders) → report

The product runs as an ordinary contender among plain ones, through its public verbs. Nothing here reads a clock of its
own: every memory is born when the data says, every question is asked at its own date.
"""
