//! Italian texts of the crate: why a password is refused.

use super::password::{PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN, PasswordRejection};

impl PasswordRejection {
    /// The reason and the remedy, fit to show beside the field.
    pub fn explanation(self) -> String {
        match self {
            Self::TooShort => {
                format!("La password deve avere almeno {PASSWORD_CHARACTERS_MIN} caratteri")
            }
            Self::TooLong => {
                format!("La password può avere al massimo {PASSWORD_CHARACTERS_MAX} caratteri")
            }
            Self::EqualsEmail => "La password non può essere l'indirizzo e-mail".to_owned(),
            Self::Common => {
                "Questa password è tra le prime che si provano. Scegline una meno comune: per \
                 esempio quattro parole che non stanno insieme"
                    .to_owned()
            }
        }
    }
}
