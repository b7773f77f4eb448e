//! What came and what stayed behind, as the practitioner reads it.

use super::html::Lost;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Lines about single articles. Nobody reads more, and an export can be made to ask for millions.
const LINES_MAX: usize = 10_000;

/// Everything there is to say about one import.
#[derive(Debug, Default)]
pub struct Report {
    pub posts: usize,
    pub drafts: usize,
    pub pictures: usize,
    pub redirects: usize,
    pub comments: usize,
    pub private: usize,
    pub trashed: usize,
    pub users: usize,
    pub has_menus: bool,
    /// What a category there has become here.
    pub categories: BTreeMap<String, &'static str>,
    pub homeless: BTreeSet<String>,
    /// In the order of the articles, each said once.
    pub lines: Vec<String>,
    said: BTreeSet<String>,
    /// Lines that are too many.
    unsaid: usize,
    pub pages: Vec<PageText>,
    /// How many there are of each kind that a plugin has added.
    pub others: BTreeMap<String, usize>,
}

/// A page there: what is to be copied by hand.
#[derive(Debug, Default)]
pub struct PageText {
    pub title: String,
    /// Where it was; unknown of one that nobody could open.
    pub path: Option<String>,
    /// Names of the files that it showed.
    pub pictures: Vec<String>,
    pub text: String,
}

impl PageText {
    fn written(&self) -> String {
        let mut out = format!("==== {} ====\n", self.title);
        if let Some(path) = &self.path {
            let _ = writeln!(out, "Indirizzo di prima: {path}");
        }
        if !self.pictures.is_empty() {
            let _ = writeln!(
                out,
                "Immagini da caricare a mano: {}",
                self.pictures.join(", ")
            );
        }
        let _ = writeln!(out, "\n{}", self.text);
        out
    }
}

impl Report {
    /// Of an export that has so many users.
    pub fn of(users: usize) -> Self {
        Self {
            users,
            ..Self::default()
        }
    }

    pub fn lost(&mut self, title: &str, lost: &Lost) {
        let line = match lost {
            Lost::Function(name) => {
                format!("In «{title}» c’era «{name}»: resta il testo, non la funzione.")
            }
            Lost::Gallery => {
                format!("In «{title}» la galleria è diventata una fila di immagini.")
            }
            Lost::Embedded(url) => {
                format!("In «{title}» il contenuto di {url} è diventato un link.")
            }
        };
        self.say(line);
    }

    pub fn missing_picture(&mut self, title: &str, name: &str) {
        self.say(format!(
            "In «{title}» manca un’immagine che non era nell’archivio: {name}."
        ));
    }

    pub fn refused_picture(&mut self, title: &str, name: &str, reason: &str) {
        self.say(format!(
            "In «{title}» un’immagine non è accettata: {name}, {reason}"
        ));
    }

    pub fn too_long(&mut self, title: &str, max: usize) {
        self.say(format!(
            "«{title}» è stato lasciato fuori: supera {max} caratteri."
        ));
    }

    fn say(&mut self, line: String) {
        if self.said.contains(&line) {
            return;
        }
        if self.lines.len() == LINES_MAX {
            self.unsaid += 1;
            return;
        }
        self.said.insert(line.clone());
        self.lines.push(line);
    }

    /// The whole of it, with the texts of the pages unless they are somewhere else.
    pub fn text(&self, is_trial: bool, default_category: &str, with_pages: bool) -> String {
        let mut out = String::new();
        if is_trial {
            out.push_str("Prova: che cosa arriverebbe\n\nQuesta è una prova: nel sito non è cambiato nulla.\n");
        } else {
            out.push_str("Che cosa è arrivato da WordPress\n");
        }
        out.push_str("\nGli articoli sono in bozza o pubblicati come erano. Leggi che cosa è rimasto fuori prima di chiudere il vecchio sito.\n");
        list(&mut out, "Arrivato", &self.came());
        list(
            &mut out,
            "Rimasto fuori, e perché",
            &self.left(default_category),
        );
        out.push_str(
            "\nRileggi i testi: «cura», «guarigione» e simili possono sembrare promesse mediche.\n",
        );
        if with_pages && !self.pages.is_empty() {
            let _ = write!(out, "\n{}", self.page_texts());
        }
        out
    }

    /// The texts of the pages, to copy from.
    pub fn page_texts(&self) -> String {
        let texts = self.pages.iter().map(PageText::written);
        texts.collect::<Vec<_>>().join("\n")
    }

    fn came(&self) -> Vec<String> {
        let mut lines = vec![match self.posts {
            0 => "Nessun articolo".to_owned(),
            count => number(count, "articolo", "articoli"),
        }];
        if self.drafts > 0 {
            let _ = write!(lines[0], ", di cui {} in bozza", self.drafts);
        }
        lines.push(match self.pictures {
            0 => "Nessuna immagine".to_owned(),
            count => number(count, "immagine", "immagini"),
        });
        match self.redirects {
            0 => {}
            1 => lines.push("1 vecchio indirizzo porta al nuovo".to_owned()),
            count => lines.push(format!("{count} vecchi indirizzi portano ai nuovi")),
        }
        let became = self.categories.iter();
        lines.extend(
            became.map(|(former, category)| format!("«{former}» è diventata «{category}»")),
        );
        lines
    }

    fn left(&self, default_category: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let mut count = |count: usize, one: &str, other: &str| match count {
            0 => {}
            1 => lines.push(one.to_owned()),
            count => lines.push(format!("{count} {other}")),
        };
        count(
            self.pages.len(),
            "1 pagina: è un testo da copiare nelle Pagine del sito.",
            "pagine: sono testi da copiare nelle Pagine del sito.",
        );
        count(
            self.comments,
            "1 commento: il sito non ne ha.",
            "commenti: il sito non ne ha.",
        );
        count(
            self.private,
            "1 articolo privato o protetto da password.",
            "articoli privati o protetti da password.",
        );
        count(
            self.trashed,
            "1 articolo era nel cestino.",
            "articoli erano nel cestino.",
        );
        count(
            self.users,
            "1 utente: qui gli accessi si creano da capo.",
            "utenti: qui gli accessi si creano da capo.",
        );
        if self.pages.iter().any(|page| page.path.is_some()) {
            lines.push(
                "Gli indirizzi di prima delle pagine, scritti sopra i testi: qui non rimandano da soli."
                    .to_owned(),
            );
        }
        for (sort, count) in &self.others {
            lines.push(match count {
                1 => format!("1 contenuto «{sort}» di un plugin: va riscritto a mano."),
                count => {
                    format!("{count} contenuti «{sort}» di un plugin: vanno riscritti a mano.")
                }
            });
        }
        if self.has_menus {
            lines.push("Menu, widget e temi: qui la forma del sito è già decisa.".to_owned());
        }
        for former in &self.homeless {
            lines.push(format!(
                "«{former}» non ha corrispondenza: l’articolo è in «{default_category}»."
            ));
        }
        lines.extend(self.lines.iter().cloned());
        match self.unsaid {
            0 => {}
            1 => lines.push("C’è ancora 1 riga come queste.".to_owned()),
            count => lines.push(format!("Ci sono ancora {count} righe come queste.")),
        }
        lines
    }
}

fn number(count: usize, one: &str, other: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { other })
}

fn list(out: &mut String, title: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = writeln!(out, "\n{title}");
    }
    for line in lines {
        let _ = writeln!(out, "- {line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Galleries that repeat themselves said the same thousand missing pictures each time.
    #[test]
    fn each_line_is_said_once_and_they_have_an_end() {
        let mut report = Report::default();
        for name in ["a.jpg", "b.jpg", "a.jpg", "b.jpg"] {
            report.missing_picture("Uno", name);
        }
        assert_eq!(report.lines.len(), 2);
        for number in 0..=LINES_MAX {
            report.missing_picture("Due", &format!("{number}.jpg"));
        }
        let text = report.text(true, "Benessere", true);
        assert_eq!(text.matches("manca un’immagine").count(), LINES_MAX);
        assert!(
            text.contains("- Ci sono ancora 3 righe come queste.\n"),
            "{text}"
        );
    }
}
