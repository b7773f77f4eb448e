//! Argon2id hashes of passwords, and the policy for new ones.

use super::error::Result;
use super::leaked_passwords::LeakedPasswords;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};

pub const PASSWORD_CHARACTERS_MIN: usize = 12;
pub const PASSWORD_CHARACTERS_MAX: usize = 200;

/// Cost of one hash. Tests use the lowest.
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

/// Returns the PHC string of a password with a new salt. Allocates `cost.memory_kib` meanwhile.
pub fn hash(password: &str, cost: Cost) -> Result<String> {
    let params = Params::new(cost.memory_kib, cost.passes, 1, None);
    let params = params.map_err(argon2::password_hash::Error::from)?;
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    Ok(argon2.hash_password(password.as_bytes())?.to_string())
}

/// Returns a PHC string that no password matches; verifying it takes as long as a hash of `cost`.
pub fn dummy_hash(cost: Cost) -> String {
    let Cost { memory_kib, passes } = cost;
    let (salt, hash) = ("A".repeat(22), "A".repeat(43));
    format!("$argon2id$v=19$m={memory_kib},t={passes},p=1${salt}${hash}")
}

/// Whether the password matches the hash. The hash states its own cost.
pub fn verify(password: &str, phc: &str) -> bool {
    PasswordHash::new(phc).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

/// Why a password is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordRejection {
    TooShort,
    TooLong,
    EqualsEmail,
    /// Leaked, or made of a few guessable parts.
    Common,
}

/// How new passwords are checked and hashed.
#[derive(Debug, Clone, Copy)]
pub struct PasswordPolicy {
    pub cost: Cost,
    pub leaked: LeakedPasswords,
}

/// Checks the length of a new password, and that attackers do not try it first. There are no rules
/// about kinds of characters: they make people write passwords on paper.
pub fn check_policy(
    password: &str,
    email: &str,
    leaked: LeakedPasswords,
) -> Result<(), PasswordRejection> {
    let characters = password.chars().count();
    if characters < PASSWORD_CHARACTERS_MIN {
        return Err(PasswordRejection::TooShort);
    }
    if characters > PASSWORD_CHARACTERS_MAX {
        return Err(PasswordRejection::TooLong);
    }
    if password.to_lowercase() == email.to_lowercase() {
        return Err(PasswordRejection::EqualsEmail);
    }
    let about: Vec<&str> = email.split(['@', '.', '-', '_', '+']).collect();
    // A list that cannot be read is a fault of the build, and must not refuse every password.
    if leaked.is_common(password, &about).unwrap_or(false) {
        return Err(PasswordRejection::Common);
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
        let leaked = LeakedPasswords::of(&["password"]);
        let check = |password: &str, email| check_policy(password, email, leaked);
        assert_eq!(
            check("undici car.", "a@b.it"),
            Err(PasswordRejection::TooShort)
        );
        assert_eq!(check("dodici car.!", "a@b.it"), Ok(()));
        let long = |characters| {
            "respiro e mare "
                .chars()
                .cycle()
                .take(characters)
                .collect::<String>()
        };
        assert_eq!(check(&long(200), "a@b.it"), Ok(()));
        assert_eq!(check(&long(201), "a@b.it"), Err(PasswordRejection::TooLong));
        let email = "anna@example.com";
        assert_eq!(
            check("Anna@Example.com", email),
            Err(PasswordRejection::EqualsEmail)
        );
        assert_eq!(
            check("AnnaExample2026", email),
            Err(PasswordRejection::Common)
        );
    }
}
