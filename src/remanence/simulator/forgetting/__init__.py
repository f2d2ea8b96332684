"""Forgetting: talks are replayed under a budget, contenders choose what stays, and questions tell what was lost.

talks, or traces of uses → replay (an access model, a budget) → contenders → scoring → run, which reports. The product's
own lifecycle functions choose for `balanced` and the presets; `product` is the whole of it, a mind with a budget and a
sweep after every session.
"""
