//! Every word of a booklet and of a picture's description, in every language.

use crate::theme::Theme;
use common::Language;
use games::Seat;
use games::geister::{Bitboard, Ghost, Move};

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub Language);

impl Words {
    /// The name of a theme.
    pub fn theme(self, theme: Theme) -> &'static str {
        let (english, japanese) = match theme {
            Theme::RedWall => ("red wall", "赤駒壁利用"),
            Theme::CaptureWin => ("capture win", "青駒全取り"),
            Theme::Sacrifice => ("sacrifice", "捨て駒"),
            Theme::Decoy => ("decoy", "おびき出し"),
            Theme::QuietKey => ("quiet key", "取らない初手"),
            Theme::Retreat => ("retreat", "引く手"),
            Theme::FarExit => ("far exit", "遠い脱出口"),
            Theme::TempoRace => ("tempo race", "一手争い"),
            Theme::CornerLock => ("corner lock", "受けのない隅"),
            Theme::Zugzwang => ("zugzwang", "ツークツワンク"),
            Theme::Defence => ("defence", "受けの初手"),
            Theme::Solo => ("solo", "単騎"),
        };
        self.0.pick(english, japanese)
    }

    /// How long the win takes: `Win in 5 plies (3 own moves)`.
    pub fn win(self, plies: u32) -> String {
        let own = plies.div_ceil(2);
        match self.0 {
            Language::English if plies == 1 => "Win in 1 ply (1 own move)".into(),
            Language::English => format!("Win in {plies} plies ({own} own moves)"),
            Language::Japanese => format!("{plies}手詰め（自分は{own}手）"),
        }
    }

    /// The colours of the opponent's ghosts on the board.
    pub(super) fn opponent(self, blue: u32, red: u32) -> String {
        match self.0 {
            Language::English => format!("Opponent: {blue} blue, {red} red"),
            Language::Japanese => format!("相手：青駒{blue}、赤駒{red}"),
        }
    }

    /// A move in print; whether it captures is for the caller to know.
    pub(super) fn mv(self, mv: Move, captures: bool) -> String {
        match mv {
            Move::Step { from, to } => format!("{from}{}{to}", if captures { '×' } else { '–' }),
            Move::Escape { from } => format!("{from}{}", self.0.pick(" out", "脱出")),
        }
    }

    /// The title of a picture of a position.
    pub(super) const fn position_title(self) -> &'static str {
        self.0.pick("Geister position", "ガイスターの局面")
    }

    /// The size of the board, a sentence.
    pub(super) fn board(self, columns: u32, rows: u32) -> String {
        match self.0 {
            Language::English => format!("{columns} by {rows} board."),
            Language::Japanese => format!("盤は{columns}×{rows}。"),
        }
    }

    /// Where the ghosts of a kind stand.
    pub(super) fn ghosts_on(self, ghost: Ghost, squares: Bitboard) -> String {
        let kind = match ghost {
            Ghost::OwnBlue => self.0.pick("own blue", "自分の青駒"),
            Ghost::OwnRed => self.0.pick("own red", "自分の赤駒"),
            Ghost::ShownBlue => self.0.pick("opponent's blue", "相手の青駒"),
            Ghost::ShownRed => self.0.pick("opponent's red", "相手の赤駒"),
            Ghost::Hidden => self.0.pick("unknown", "色のわからない駒"),
        };
        let names: Vec<String> = squares.map(|square| square.to_string()).collect();
        format!("{kind}{}{}", self.0.pick(" on ", "："), names.join(self.comma()))
    }

    /// What stands where, sentences.
    pub(super) fn list_of_ghosts(self, kinds: &[String]) -> String {
        match self.0 {
            Language::English => capitalised(&kinds.join("; ")) + ".",
            Language::Japanese => kinds.join("。") + "。",
        }
    }

    /// The colours of the opponent's ghosts, a sentence.
    pub(super) fn colours(self, blue: u32, red: u32) -> String {
        let (all, one) = (blue + red, if blue == 1 { "blue" } else { "red" });
        let verb = if blue == 1 { "is" } else { "are" };
        match self.0 {
            Language::English if all == 1 => format!("The opponent's ghost is {one}."),
            Language::English => format!("{blue} of the opponent's {all} ghosts {verb} blue."),
            Language::Japanese => format!("相手の駒{all}つのうち青駒は{blue}つ。"),
        }
    }

    /// The side to move as a sentence, or that the game is over.
    pub(super) const fn turn(self, side: Option<Seat>) -> &'static str {
        match side {
            None => self.0.pick("The game is over.", "終局。"),
            Some(Seat::First) => self.0.pick("Own side to move.", "自分の手番。"),
            Some(Seat::Second) => self.0.pick("Opponent to move.", "相手の手番。"),
        }
    }

    /// Which moves are marked, a sentence to follow others; nothing if none is.
    pub(super) fn marked(self, marks: &[Move]) -> String {
        if marks.is_empty() {
            return String::new();
        }
        let one = |mark: &Move| match (self.0, *mark) {
            (Language::English, Move::Step { from, to }) => format!("{from} to {to}"),
            (Language::English, Move::Escape { from }) => format!("{from} out"),
            (Language::Japanese, Move::Step { from, to }) => format!("{from}から{to}"),
            (Language::Japanese, Move::Escape { from }) => format!("{from}から脱出"),
        };
        let marks = marks.iter().map(one).collect::<Vec<_>>().join(self.comma());
        match self.0 {
            Language::English => format!(" Marked: {marks}."),
            Language::Japanese => format!("矢印：{marks}。"),
        }
    }

    /// The title of a booklet that was given none.
    pub(super) const fn booklet_title(self) -> &'static str {
        self.0.pick("Geister Puzzles", "詰めガイスター問題集")
    }

    /// How many puzzles there are and how long they take.
    pub(super) fn extent(self, puzzles: usize, shortest: u32, longest: u32) -> String {
        let plies = if shortest == longest {
            shortest.to_string()
        } else {
            format!("{shortest}–{longest}")
        };
        match self.0 {
            Language::English if puzzles == 1 => format!("1 puzzle: win in {plies} plies"),
            Language::English => format!("{puzzles} puzzles: win in {plies} plies"),
            Language::Japanese => format!("全{puzzles}問　{plies}手詰め"),
        }
    }

    /// Headings and paragraphs of the first page.
    pub(super) const fn rules(self) -> [(&'static str, &'static str); 3] {
        match self.0 {
            Language::English => [
                (
                    "The game",
                    "Each side has blue and red ghosts and hides their colours from the other. \
                     A move takes one ghost one square up, down or sideways, onto an empty square \
                     or onto an opposing ghost, which is captured and shows its colour. \
                     You win as soon as one of your blues leaves the board, all opposing blues \
                     are captured, or all your reds have been captured. You leave by one more \
                     move from a6 or f6, your opponent from a1 or f1; reds cannot leave. Your \
                     opponent wins in the same three ways.",
                ),
                (
                    "The puzzle",
                    "You play upwards and move first. Find the shortest win that no defence can \
                     avoid. The length is given in plies: your moves and your opponent's \
                     together, the last one included. Above each board stands how many of the \
                     opponent's ghosts are blue and how many are red.",
                ),
                (
                    "Purple ghosts",
                    "You cannot see the colour of a ghost with a question mark, and you must not \
                     guess. Take it at its worst, as if it were purple: it turns out red when you \
                     capture it, and blue when it leaves. Beware of capturing the opponent's last \
                     red: that loses.",
                ),
            ],
            Language::Japanese => [
                (
                    "ガイスターのルール",
                    "お互いに青駒と赤駒を持ち、相手の駒の色は見えません。手番では自分の駒を1つ、\
                     上下左右に1マス動かします。動かした先に相手の駒があれば取ることができ、\
                     取った駒の色がわかります。自分の青駒を脱出させる、相手の青駒を全て取る、\
                     自分の赤駒を全て取らせる、のいずれかで勝ちです。自分の脱出口はa6とf6、\
                     相手の脱出口はa1とf1で、脱出口からもう1手で盤の外へ脱出します。\
                     赤駒は脱出できません。相手の勝利条件も同じです。",
                ),
                (
                    "詰めガイスター",
                    "自分は下側で、先手です。相手がどう受けても勝てる最短の手順を見つけてください。\
                     手数はお互いの手を合わせて数え、最後の1手も含みます。\
                     盤の上の数字は、盤上にある相手の青駒と赤駒の数です。",
                ),
                (
                    "紫駒",
                    "？の付いた駒は色がわかりません。運に頼らず、常に最悪の場合を考えます。\
                     取れば赤駒、脱出されれば青駒になる「紫駒」と考えてください。\
                     相手の赤駒を全て取ってしまうと負けになるので注意しましょう。",
                ),
            ],
        }
    }

    /// The heading above the signs.
    pub(super) const fn signs(self) -> &'static str {
        self.0.pick("The signs", "駒の見方")
    }

    /// The meaning of a ghost's sign.
    pub(super) const fn sign(self, ghost: Ghost) -> &'static str {
        match ghost {
            Ghost::OwnBlue => self.0.pick("your blue: solid, smiling", "自分の青駒（塗り・笑顔）"),
            Ghost::OwnRed => self.0.pick("your red: solid, horned", "自分の赤駒（塗り・角）"),
            Ghost::ShownBlue => {
                self.0.pick("opponent's blue: outlined, smiling", "相手の青駒（白抜き・笑顔）")
            }
            Ghost::ShownRed => {
                self.0.pick("opponent's red: outlined, horned", "相手の赤駒（白抜き・角）")
            }
            Ghost::Hidden => self.0.pick("opponent's, colour unknown", "相手の色のわからない駒"),
        }
    }

    /// The heading above the solutions.
    pub(super) const fn solutions(self) -> &'static str {
        self.0.pick("Solutions", "解答")
    }

    /// How to read the solutions.
    pub(super) const fn about_solutions(self) -> &'static str {
        self.0.pick(
            "The line shows a shortest win against a longest defence: – is a step, × a capture. \
             A key is a first move that wins as soon as can be. Slower wins are shown with \
             their plies.",
            "手順は、最短の勝ちと最長の受けの一例です。–は移動、×は駒を取る手を表します。\
             「正解手」は最短で勝てる初手です。手数の延びる勝ちには、その手数を添えています。",
        )
    }

    /// What keys are called.
    pub(super) const fn keys(self, one: bool) -> &'static str {
        self.0.pick(if one { "Key" } else { "Keys" }, "正解手")
    }

    /// What first moves that win later than need be are called.
    pub(super) const fn slower(self) -> &'static str {
        self.0.pick("Slower", "手数の延びる勝ち")
    }

    /// What themes are called.
    pub(super) const fn themes(self, one: bool) -> &'static str {
        self.0.pick(if one { "Theme" } else { "Themes" }, "テーマ")
    }

    /// Between a label and what it labels.
    pub(super) const fn colon(self) -> &'static str {
        self.0.pick(": ", "：")
    }

    /// Between the parts of a list.
    pub(super) const fn comma(self) -> &'static str {
        self.0.pick(", ", "、")
    }

    /// What made the booklet.
    pub(super) const fn made_with(self) -> &'static str {
        self.0.pick("Made with Spuk", "Spuk で作成")
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_theme_has_its_own_name_in_every_language() {
        let all: BTreeSet<&str> = Language::ALL
            .map(Words)
            .into_iter()
            .flat_map(|words| Theme::ALL.map(|theme| words.theme(theme)))
            .collect();
        assert_eq!(all.len(), Theme::ALL.len() * Language::ALL.map(Words).len());
        assert!(all.iter().all(|name| !name.trim().is_empty()));
    }

    #[test]
    fn japanese_words_are_japanese() {
        let is_kana_or_kanji = |letter: char| letter >= '\u{3040}';
        for theme in Theme::ALL {
            assert!(
                Words(Language::Japanese).theme(theme).chars().all(is_kana_or_kanji),
                "{theme}"
            );
            assert!(Words(Language::English).theme(theme).is_ascii(), "{theme}");
        }
    }

    #[test]
    fn lengths_are_given_in_plies_and_own_moves() {
        assert_eq!(Words(Language::English).win(1), "Win in 1 ply (1 own move)");
        assert_eq!(Words(Language::English).win(7), "Win in 7 plies (4 own moves)");
        assert_eq!(Words(Language::Japanese).win(7), "7手詰め（自分は4手）");
        assert_eq!(Words(Language::English).extent(6, 5, 9), "6 puzzles: win in 5–9 plies");
        assert_eq!(Words(Language::Japanese).extent(1, 5, 5), "全1問　5手詰め");
    }
}
