//! CSV files for spreadsheet programs.

use crate::errors::{Error, Result};
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse};

const WRONG_SEPARATOR: &str = "Il parametro «separator» deve essere «comma» o «semicolon».";

/// Returns the separator that `?separator=` names, a comma by default. Where the decimal sign is a
/// comma, Excel opens a file with commas in one column, so the panel asks for semicolons.
pub fn separator(request: &HttpRequest) -> Result<char> {
    let mut pairs = request.query_string().split('&');
    match pairs.find_map(|pair| pair.strip_prefix("separator=")) {
        None | Some("comma") => Ok(','),
        Some("semicolon") => Ok(';'),
        Some(_) => Err(Error::BadRequest(WRONG_SEPARATOR)),
    }
}

/// Returns a CSV file for one signed-in admin. The byte order mark declares UTF-8 to spreadsheet
/// programs.
pub fn response(filename: &str, text: &str) -> HttpResponse {
    let disposition = format!("attachment; filename=\"{filename}\"");
    HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_DISPOSITION, disposition))
        .body(format!("\u{feff}{text}"))
}

/// Returns a line of cells that need no quotes, such as fixed labels and numbers.
pub fn plain_line<T: ToString>(separator: char, cells: &[T]) -> String {
    let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    cells.join(&separator.to_string()) + "\r\n"
}

/// Returns a line of quoted cells.
pub fn line(separator: char, cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
    plain_line(separator, &cells)
}

/// Quotes a cell, and keeps spreadsheet programs from evaluating it as a formula.
pub fn quoted(cell: &str) -> String {
    // Excel reads the full-width forms of these signs as the signs.
    const SIGNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let formula = cell.starts_with(SIGNS);
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        assert_eq!(quoted("a@b.it"), "\"a@b.it\"");
        assert_eq!(quoted("=1+1@b.it"), "\"'=1+1@b.it\"");
        assert_eq!(quoted("-a\"b"), "\"'-a\"\"b\"");
        for sign in ["＝1", "＋1", "－1", "＠A1", "\n=1", "\t=1", "+1", "@A1"] {
            assert_eq!(quoted(sign), format!("\"'{sign}\""));
        }
    }
}
