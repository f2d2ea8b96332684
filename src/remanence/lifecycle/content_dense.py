"""Content of sentences in Chinese and Japanese, which have no spaces: the same eighteen signals, read off characters.

Cut at spaces such a sentence is one word, and so seemed to say next to nothing. What stands for a word list elsewhere
is a list of characters here, and the number of telling words is taken from the length: a word has about two characters,
and about every second one tells something. Weights are those of `content`: a sentence and its translation should be
worth about the same, and nothing here was fitted.
"""

from __future__ import annotations

import re
from math import log1p

_DENSE = re.compile(r"[぀-ヿ㐀-鿿豈-﫿]")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.+#-]+")
_CHARACTERS_A_TELLING_WORD = 4
_SHORT_REACTION = 14

_SELF = re.compile(r"我|咱|私|僕|俺")
_DONE = re.compile(r"了|过|過|ました|でした|だった|した(?=[。、\s]|$)|てい[たる]")
_OWN = re.compile(r"我的|我们的|我們的|我家|我[妈爸媽姐哥妹弟]|私の|僕の|うちの|我が")
_HAPPENED = re.compile(r"了(?=[，,。！!、\s]|$)|已经|已經|发生|發生|ました|でした|だった|した(?=[。、\s]|$)")
_DATED = re.compile(
    r"今天|昨天|前天|刚刚|上周|上個?月|上个月|去年|前年|周[一二三四五六日末]|星期|\d+ ?[月日号點点時时]|[上下]午|凌晨"
    r"|早上|晚上|今日|昨日|一昨日|先週|先月|曜日|午[前後]|今朝|昨夜"
)
_WHEN = re.compile(
    r"最近|以前|明天|每天|每周|每月|下周|今年|明年|年前|以来|来週|来月|来年|毎[日週月年朝晩]|この前|明日"
)
_NUMBER = re.compile(
    r"\d|[一二两兩三四五六七八九十百千万萬]+(?:个|個|年|月|天|次|人|元|块|岁|歳|点|台|只|匹|回|つ|円|本|倍|成|割)"
)
_NAME = re.compile(r"《[^》]+》|「[^」]+」|『[^』]+』|“[^”]+”|さん|先生|女士|公司|株式会社|大学|大學")
_KIN = re.compile(
    r"妈妈|爸爸|媽媽|妻子|丈夫|老公|老婆|儿子|女儿|兒子|女兒|姐姐|哥哥|妹妹|弟弟|朋友|同事|家人|孩子|团队|客户|经理|老板|猫|狗|"
    r"母|父|妻|夫|息子|娘|兄|姉|友達|家族|子供|同僚|上司|犬|チーム"
)
_LIKING = re.compile(r"喜欢|喜歡|热爱|最爱|讨厌|偏好|过敏|素食|好き|嫌い|好[みむ]|アレルギー|苦手")
_DECISION = re.compile(
    r"决定|決定|选择|选了|必须|必須|总是|從不|从不|从来|每次|一定要|不能|不得|不要|禁止|规定|加入|开始|搬到|搬去|签了|决心|"
    r"決め|必ず|いつも|絶対|べき|選ん|始め|入社|引っ越"
)
_ASIDE = re.compile(r"对了|顺便|其实|另外|順便|其實|ちなみに|実は|そういえば")
_QUESTION = re.compile(r"(?:[?？]|[吗嗎呢]|(?:です|ます|でしょう|した)か)[。\s」”]*$")
_REQUEST = re.compile(r"^(?:请|請|帮我|幫我|麻烦|能不能|可以帮)|ください|してくれ|お願い|教えて")
_REACTION = re.compile(
    r"谢谢|謝謝|好的|哈哈|太好了|你好|您好|再见|收到|辛苦|不客气|恭喜|加油|真棒|ありがとう|お疲れ|よろしく|おはよう|こんにちは|"
    r"了解|すごい|すばらしい|おめでとう"
)
_OTHER = re.compile(r"你|您|あなた|君は|君の")
_INTENTION = re.compile(
    r"可能|也许|也許|或许|希望|如果|打算|想要|应该|應該|听说|かもしれ|つもり|だろう|でしょう|と思[うい]|たいと|らしい"
)


def dense_signals(sentence: str, answer: bool) -> tuple[float, ...] | None:
    """The signals of a sentence in the order of `content.NAMES`; None where other scripts prevail."""
    characters = len(_DENSE.findall(sentence))
    latin = _LATIN.findall(sentence)
    if characters < 2 or 2 * characters < sum(map(len, latin)):
        return None

    def holds(cue: re.Pattern[str]) -> float:
        return float(cue.search(sentence) is not None)

    asked, of_self = holds(_QUESTION), holds(_SELF)
    capitals = sum(not word.islower() for word in latin)
    telling = characters / _CHARACTERS_A_TELLING_WORD + len(latin)
    return (
        of_self,
        of_self * holds(_DONE),
        holds(_OWN),
        holds(_HAPPENED),
        holds(_DATED) or 0.5 * holds(_WHEN),
        holds(_NUMBER),
        min(1.0, capitals / 2 + holds(_NAME) / 2),
        holds(_KIN),
        holds(_LIKING),
        holds(_DECISION),
        holds(_ASIDE),
        log1p(telling),
        float(answer),
        asked,
        holds(_REQUEST) * (1.0 - asked),
        holds(_REACTION) * (characters <= _SHORT_REACTION),
        holds(_OTHER) * (1.0 - asked),
        holds(_INTENTION),
    )
