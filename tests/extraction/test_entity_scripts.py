"""Names in scripts without capitals: a set of sentences with every name in them, and hostile input."""

from __future__ import annotations

import time

import pytest

from remanence.extraction.entities import entities_of

TEXTS: tuple[tuple[str, set[str]], ...] = (
    ("王芳负责测试环境，她每周三不在办公室。", {"王芳"}),
    ("客户李明住在杭州，他喜欢用微信沟通。", {"微信", "李明", "杭州"}),
    ("我们把服务迁移到PostgreSQL，张伟明同意了这个方案。", {"PostgreSQL", "张伟明"}),
    ("我很高兴的是任务完成了。", set()),
    ("周末的时间安排很方便。", set()),
    ("欧阳娜娜和陈静参加了上海的会议。", {"上海", "欧阳娜娜", "陈静"}),
    ("刘经理说预算不能超过三万元。", {"刘经理"}),
    ("小王昨天修复了登录问题。", {"小王"}),
    ("请联系赵敏，电话在文档里。", {"赵敏"}),
    ("方案的成本是每月3000元。", set()),
    ("数据库的备份在每天凌晨两点运行。", set()),
    ("孙丽的丈夫在华为工作。", {"华为", "孙丽"}),
    ("安全团队要求所有数据留在欧洲。", set()),
    ("程序在启动时会检查许可。", set()),
    ("项目负责人周杰反对使用Kafka。", {"Kafka", "周杰"}),
    ("何时上线还没有决定。", set()),
    ("任何人都可以提交代码。", set()),
    ("吴磊不喝咖啡。", {"吴磊"}),
    ("田中さんは来週から大阪支社で働きます。", {"大阪", "田中"}),
    ("佐藤さんは金曜日の会議を好みません。", {"佐藤"}),
    ("仕様は変更されていません。", set()),
    ("お客様の同様の要望が多いです。", set()),
    ("株式会社サイボウズと契約しました。", {"サイボウズ"}),
    ("鈴木部長は東京に出張中です。", {"東京", "鈴木"}),
    ("営業部長が承認しました。", set()),
    ("皆さん、お疲れ様でした。", set()),
    ("マリアさんはベルリンに住んでいます。", {"ベルリン", "マリア"}),
    ("APIキーはローテーションされていません。", {"API"}),
    ("山田先生に相談してください。", {"山田"}),
    ("本番データベースは東京リージョンにあり、毎日バックアップされます。", {"東京"}),
    ("高橋くんはPythonが得意だ。", {"Python", "高橋"}),
    ("彼氏は医者さんです。", set()),
    ("يعمل أحمد في شركة أرامكو في الرياض", {"أحمد", "أرامكو", "الرياض"}),
    ("قال الدكتور سامي الخطيب إن المشروع تأخر", {"سامي الخطيب"}),
    ("تعيش ليلى في بيروت وتحب القهوة", {"بيروت", "ليلى"}),
    ("شركة كبيرة تحتاج إلى خادم جديد", set()),
    ("الخادم جميل وسريع", set()),
    ("المهندسة رانيا حداد مسؤولة عن قاعدة البيانات", {"رانيا حداد"}),
    ("انتقل المكتب إلى دبي", {"دبي"}),
    ("كل يوم جديد فيه أمل", set()),
)


def test_the_set_is_found_and_little_else() -> None:
    found = extra = missed = 0
    for text, expected in TEXTS:
        got = {name for name, _ in entities_of(text)}
        found += len(got & expected)
        extra += len(got - expected)
        missed += len(expected - got)
    assert found / (found + extra) >= 0.97, "precision comes first"
    assert found / (found + missed) >= 0.95


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("张伟于2022年加入公司。", {"张伟"}),
        ("日本語と韓国語に対応している。", set()),
        ("北川誠さんは東京に住んでいる。", {"北川誠", "東京"}),
        ("港务主任郝建国说，旧设备不会拆除。", {"郝建国"}),
        ("送料はお客様の負担になります。", set()),
    ],
)
def test_names_end_where_they_end(text: str, expected: set[str]) -> None:
    assert {name for name, _ in entities_of(text)} == expected


@pytest.mark.parametrize("text", ["王", "王芳负责", "田中さん", "شركة ", "株式会社", "ア・", "السيد "])
def test_hostile_texts_take_linear_time(text: str) -> None:
    begun = time.process_time()
    entities_of(text * 20_000)
    assert time.process_time() - begun < 2
