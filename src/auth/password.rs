//! Argon2id hashes of passwords, and what a password must be.

use super::error::Result;
use super::leaked_passwords;
use crate::error::FieldError;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

pub const PASSWORD_CHARACTERS_MIN: usize = 12;
pub const PASSWORD_CHARACTERS_MAX: usize = 200;

/// What one hash costs. Tests take the least there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    pub memory_kib: u32,
    pub passes: u32,
}

impl Default for Cost {
    fn default() -> Self {
        Self {
            memory_kib: 64 * 1024,
            passes: 3,
        }
    }
}

/// The PHC string of a password under a fresh salt. Takes `cost.memory_kib` for a moment.
pub fn hash(password: &str, cost: Cost) -> Result<String> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None);
    let params = params.map_err(argon2::password_hash::Error::from)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Ok(argon2.hash_password(password.as_bytes())?.to_string())
}

/// A PHC string that no password matches and that takes as long to verify as one of `cost`.
pub fn dummy_hash(cost: Cost) -> String {
    let Cost { memory_kib, passes } = cost;
    let (salt, hash) = ("A".repeat(22), "A".repeat(43));
    format!("$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${hash}")
}

/// Whether the password is the hashed one; the cost is the one written in the hash.
pub fn verify(password: &str, phc: &str) -> bool {
    PasswordHash::new(phc).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

/// Length, not the address itself, and nothing that is tried first: no rules that make people write
/// passwords on paper.
pub fn check_policy(field: &str, password: &str, email: &str) -> Result<(), FieldError> {
    let characters = password.chars().count();
    if characters < PASSWORD_CHARACTERS_MIN {
        let message = format!("La password deve avere almeno {PASSWORD_CHARACTERS_MIN} caratteri");
        return Err(FieldError::new(field, message));
    }
    if characters > PASSWORD_CHARACTERS_MAX {
        let message =
            format!("La password può avere al massimo {PASSWORD_CHARACTERS_MAX} caratteri");
        return Err(FieldError::new(field, message));
    }
    if password.to_lowercase() == email.to_lowercase() {
        let message = "La password non può essere l'indirizzo e-mail";
        return Err(FieldError::new(field, message));
    }
    let about: Vec<&str> = email.split(['@', '.', '-', '_', '+']).collect();
    // A list that cannot be read is a fault of the build, and keeps nobody from a password.
    if leaked_passwords::is_common(password, &about).unwrap_or(false) {
        let message = "Questa password è tra le prime che si provano. Scegline una meno comune: per \
                       esempio quattro parole che non stanno insieme";
        return Err(FieldError::new(field, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHEAP: Cost = Cost {
        memory_kib: 8,
        passes: 1,
    };

    #[test]
    fn a_password_verifies_against_its_own_hash_only() {
        let phc = hash("respiro profondo", CHEAP).unwrap();
        assert!(phc.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{phc}");
        assert!(verify("respiro profondo", &phc));
        assert!(!verify("respiro profond", &phc));
        assert!(!verify("respiro profondo", "no hash"));
        assert_ne!(phc, hash("respiro profondo", CHEAP).unwrap());
    }

    /// A string that does not parse would be refused without any work.
    #[test]
    fn the_dummy_hash_has_the_form_and_cost_of_a_real_one() {
        let (dummy, real) = (dummy_hash(CHEAP), hash("respiro profondo", CHEAP).unwrap());
        assert_eq!(dummy.len(), real.len());
        let (dummy, real) = [&dummy, &real]
            .map(|phc| PasswordHash::new(phc).unwrap())
            .into();
        assert_eq!(
            Params::try_from(&dummy).unwrap(),
            Params::try_from(&real).unwrap()
        );
        assert_eq!(dummy.hash.unwrap().len(), real.hash.unwrap().len());
        assert!(!verify("respiro profondo", &dummy_hash(CHEAP)));
    }

    #[test]
    fn the_policy_asks_for_length_and_refuses_the_address() {
        assert!(check_policy("password", "undici car.", "a@b.it").is_err());
        assert!(check_policy("password", "dodici car.!", "a@b.it").is_ok());
        let long = |characters| {
            "respiro e mare "
                .chars()
                .cycle()
                .take(characters)
                .collect::<String>()
        };
        assert!(check_policy("password", &long(200), "a@b.it").is_ok());
        assert!(check_policy("password", &long(201), "a@b.it").is_err());
        assert!(check_policy("password", "Anna@Example.com", "anna@example.com").is_err());
        assert!(check_policy("password", "AnnaExample2026", "anna@example.com").is_err());
    }
}
