//! Italian texts of the import report, which the practitioner reads.

use super::report::{Line, PageText, PictureProblem, Report, Subject, TITLES_SHOWN};
use respiro_content::time;
use respiro_media::UPLOAD_BYTES_MAX;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Title of an imported post or page that has none.
pub const UNTITLED: &str = "Senza titolo";
/// File names and addresses that a line names; it counts the others.
const DETAILS_SHOWN: usize = 20;
/// Most lines of one kind that are about one post each; more become one line.
const LINES_BY_POST_MAX: usize = 20;

impl Line {
    fn text(&self) -> String {
        let place = place(&self.titles, self.post_count);
        let count = self.details.len();
        let details = listed(&self.details.iter().collect::<Vec<_>>(), DETAILS_SHOWN);
        match &self.subject {
            Subject::Function(name) => {
                format!("{place} non è arrivato «{name}», una funzione che qui non c’è.")
            }
            Subject::Wrapper(name) => {
                format!("{place} c’era «{name}»: resta il testo, non la funzione.")
            }
            Subject::Brackets(name) => format!(
                "{place} resta scritto «[{name}]»: se era la funzione di un plugin, toglilo."
            ),
            Subject::Gallery if self.post_count == 1 => {
                format!("{place} la galleria è diventata una fila di immagini.")
            }
            Subject::Gallery => format!("{place} le gallerie sono diventate file di immagini."),
            Subject::ReusableBlock => {
                format!(
                    "{place} manca un blocco riutilizzabile: l’esportazione non ne ha il testo."
                )
            }
            Subject::Embedded(_) if count == 1 => {
                format!("{place} il contenuto di {details} è diventato un link.")
            }
            Subject::Embedded(host) => {
                format!("{place} {count} contenuti di {host} sono diventati link.")
            }
            Subject::StrayBytes => {
                format!(
                    "{place} alcune lettere erano scritte in un altro modo: rileggi gli accenti."
                )
            }
            Subject::PastSchedule => {
                format!("{place} il momento previsto per pubblicare è passato: resta in bozza.")
            }
            Subject::Excerpt(characters_max) => {
                format!("{place} il riassunto è accorciato a {characters_max} caratteri.")
            }
            Subject::MissingPictures { .. } if count == 1 => {
                format!("{place} manca un’immagine che non era nell’archivio: {details}.")
            }
            Subject::MissingPictures { .. } => {
                format!("{place} mancano {count} immagini che non erano nell’archivio: {details}.")
            }
            Subject::RefusedPictures { reason, .. } if count == 1 => {
                format!("{place} un’immagine non è accettata: {details}, {reason}")
            }
            Subject::RefusedPictures { reason, .. } => {
                format!(
                    "{place} {count} immagini non sono accettate: {details}. Il motivo: {reason}"
                )
            }
            Subject::OldLinks { .. } if count == 1 => {
                format!("{place} un link porta a un indirizzo del vecchio sito: {details}.")
            }
            Subject::OldLinks { .. } => {
                format!("{place} {count} link portano a indirizzi del vecchio sito: {details}.")
            }
            Subject::TooLong { characters_max, .. } => format!(
                "{} è stato lasciato fuori: supera {characters_max} caratteri.",
                listed(&quoted(&self.titles), TITLES_SHOWN)
            ),
        }
    }
}

fn quoted(titles: &[String]) -> Vec<String> {
    titles.iter().map(|title| format!("«{title}»")).collect()
}

/// Returns where something is: `In «Uno»`, `In 7 testi («Uno», «Due» e altri 5)`.
fn place(titles: &[String], post_count: usize) -> String {
    let shown = quoted(titles).join(", ");
    match (post_count, post_count.saturating_sub(titles.len())) {
        (1, _) => format!("In {shown}"),
        (_, 0) => format!("In {post_count} testi ({shown})"),
        (_, 1) => format!("In {post_count} testi ({shown} e un altro)"),
        (_, others) => format!("In {post_count} testi ({shown} e altri {others})"),
    }
}

fn listed<T: std::fmt::Display>(names: &[T], shown: usize) -> String {
    let texts = names.iter().take(shown).map(ToString::to_string);
    let text = texts.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(shown) {
        0 => text,
        others => format!("{text} e ancora {others}"),
    }
}

/// Returns the text of the lines. Many lines of one kind about one post each become one line.
fn texts(lines: &[Line]) -> Vec<String> {
    type IsKind = fn(&Subject) -> bool;
    let kinds: [(IsKind, &str); 2] = [
        (
            |subject| matches!(subject, Subject::MissingPictures { .. }),
            "mancano {} immagini che non erano nell’archivio.",
        ),
        (
            |subject| matches!(subject, Subject::OldLinks { .. }),
            "{} link portano a indirizzi del vecchio sito.",
        ),
    ];
    let mut out = Vec::new();
    let mut rest: Vec<&Line> = lines.iter().collect();
    let mut sums = Vec::new();
    for (is_kind, text) in kinds {
        let (alike, others): (Vec<&Line>, Vec<&Line>) =
            rest.iter().partition(|line| is_kind(&line.subject));
        if alike.len() <= LINES_BY_POST_MAX {
            continue;
        }
        rest = others;
        let titles = alike.iter().flat_map(|line| line.titles.iter().cloned());
        let titles: Vec<String> = titles.take(TITLES_SHOWN).collect();
        let count: usize = alike.iter().map(|line| line.details.len()).sum();
        let text = text.replace("{}", &count.to_string());
        sums.push(format!("{} {text}", place(&titles, alike.len())));
    }
    let mut functions: BTreeMap<(&[String], usize), Vec<&str>> = BTreeMap::new();
    for line in &rest {
        if let Subject::Function(name) = &line.subject {
            let posts = (line.titles.as_slice(), line.post_count);
            functions.entry(posts).or_default().push(name);
        }
    }
    for line in rest {
        let Subject::Function(_) = &line.subject else {
            out.push(line.text());
            continue;
        };
        // The first of several functions in the same posts names all of them.
        match functions.remove(&(line.titles.as_slice(), line.post_count)) {
            Some(names) if names.len() > 1 => {
                let place = place(&line.titles, line.post_count);
                let names: Vec<String> = names.iter().map(|name| format!("«{name}»")).collect();
                let (count, names) = (names.len(), listed(&names, DETAILS_SHOWN));
                out.push(format!(
                    "{place} non sono arrivate {count} funzioni che qui non ci sono: {names}."
                ));
            }
            Some(_) => out.push(line.text()),
            None => {}
        }
    }
    out.extend(sums);
    out
}

impl PictureProblem {
    pub fn text(self) -> String {
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
        let scheduled = self.scheduled.iter().map(|(title, at)| {
            let moment = time::with_article("il", &time::format_moment(*at));
            format!("«{title}» resta programmato: esce {moment}")
        });
        lines.extend(scheduled);
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

    fn homeless_categories(&self, default_category: &str) -> Option<String> {
        let names = self.homeless.iter().map(|name| format!("«{name}»"));
        match names.collect::<Vec<_>>().as_slice() {
            [] => None,
            [former] => Some(format!(
                "{former} non ha corrispondenza: l’articolo è in «{default_category}»."
            )),
            several => Some(format!(
                "{} categorie non hanno corrispondenza, e i loro articoli sono in «{default_category}»: {}.",
                several.len(),
                listed(several, DETAILS_SHOWN)
            )),
        }
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
        lines.extend(self.homeless_categories(default_category));
        lines.extend(texts(&self.lines));
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
