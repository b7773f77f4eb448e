//! Italian texts of the import report, which the practitioner reads.

use super::html::Lost;
use super::report::{PageText, PictureProblem, Report, Warning};
use respiro_media::UPLOAD_BYTES_MAX;
use std::fmt::Write as _;

/// Title of an imported post or page that has none.
pub const UNTITLED: &str = "Senza titolo";

impl Warning<'_> {
    /// Returns the line of the report about the post with this title.
    pub fn text(&self, title: &str) -> String {
        match self {
            Self::Lost(Lost::Function(name)) => {
                format!("In «{title}» c’era «{name}»: resta il testo, non la funzione.")
            }
            Self::Lost(Lost::Gallery) => {
                format!("In «{title}» la galleria è diventata una fila di immagini.")
            }
            Self::Lost(Lost::Embedded(url)) => {
                format!("In «{title}» il contenuto di {url} è diventato un link.")
            }
            Self::MissingPicture(name) => {
                format!("In «{title}» manca un’immagine che non era nell’archivio: {name}.")
            }
            Self::RefusedPicture(name, problem) => format!(
                "In «{title}» un’immagine non è accettata: {name}, {}",
                problem.text()
            ),
            Self::TooLong(characters_max) => {
                format!("«{title}» è stato lasciato fuori: supera {characters_max} caratteri.")
            }
        }
    }
}

impl PictureProblem {
    fn text(self) -> String {
        match self {
            Self::TooLarge => format!("è più grande di {} MB.", UPLOAD_BYTES_MAX >> 20),
            Self::Damaged => "il file non si legge.".to_owned(),
            Self::Refused(error) => error.explanation().to_owned(),
        }
    }
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
    /// Returns the whole report. `with_pages` appends the texts of the pages.
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

    /// Returns the texts of the pages for copying.
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
