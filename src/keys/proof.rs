//! Whether a signature holds: the key, the purpose, the exact bytes, and what it says of a touch.

use crate::keys::KeyError;
use ssh_key::{HashAlg, PublicKey, SshSig};

/// Bit 0 of the flags of a security key's signature: somebody touched it.
const USER_PRESENT: u8 = 1;
/// Behind a security key's signature stand one byte of flags and a counter of four.
const TRAILER: usize = 5;

/// What a signature proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The fingerprint of the key that made it.
    pub fingerprint: String,
    /// Whether the key was touched for it; read from the signature, never from the kind of key.
    pub touched: bool,
}

/// A public key as one line without its comment.
///
/// # Errors
/// It is no public key of a kind that can sign here.
pub fn public_key(line: &str) -> Result<String, KeyError> {
    let key = parse(line)?;
    written(&key)
}

/// The fingerprint of a public key, `SHA256:…`.
///
/// # Errors
/// It is no public key.
pub fn fingerprint(line: &str) -> Result<String, KeyError> {
    Ok(parse(line)?.fingerprint(HashAlg::Sha256).to_string())
}

/// Checks a signature against the exact bytes, for one purpose and one key.
///
/// # Errors
/// Another key, another purpose, other bytes, or no signature at all.
pub fn check(
    namespace: &str,
    message: &[u8],
    armored: &str,
    public_key: &str,
) -> Result<Proof, KeyError> {
    let key = parse(public_key)?;
    let bad = |why: &str| KeyError::Bad(why.to_owned());
    let signature = SshSig::from_pem(armored).map_err(|error| KeyError::Bad(error.to_string()))?;
    if signature.public_key() != key.key_data() {
        return Err(bad("it was made with another key"));
    }
    if signature.namespace() != namespace {
        return Err(bad("it was made for another purpose (namespace)"));
    }
    key.verify(namespace, message, &signature)
        .map_err(|_| bad("it was made for other bytes"))?;
    Ok(Proof {
        fingerprint: key.fingerprint(HashAlg::Sha256).to_string(),
        touched: touched(&signature),
    })
}

fn touched(signature: &SshSig) -> bool {
    let security_key = matches!(
        signature.algorithm(),
        ssh_key::Algorithm::SkEd25519 | ssh_key::Algorithm::SkEcdsaSha2NistP256
    );
    let bytes = signature.signature_bytes();
    let flags = bytes
        .len()
        .checked_sub(TRAILER)
        .and_then(|at| bytes.get(at));
    security_key && flags.is_some_and(|flags| flags & USER_PRESENT != 0)
}

pub(in crate::keys) fn parse(line: &str) -> Result<PublicKey, KeyError> {
    PublicKey::from_openssh(line.trim()).map_err(|error| KeyError::NotAKey(error.to_string()))
}

pub(in crate::keys) fn written(key: &PublicKey) -> Result<String, KeyError> {
    let bare = PublicKey::new(key.key_data().clone(), "");
    let line = bare
        .to_openssh()
        .map_err(|error| KeyError::NotAKey(error.to_string()))?;
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{check, fingerprint, public_key};
    use crate::keys::DECISION;
    use ssh_key::private::Ed25519Keypair;
    use ssh_key::public::{KeyData, SkEd25519};
    use ssh_key::{Algorithm, HashAlg, LineEnding, PrivateKey, PublicKey, Signature, SshSig};

    const MESSAGE: &str = include_str!("../../tests/cases/keys/d.json");
    const ARMORED: &str = include_str!("../../tests/cases/keys/d.json.sig");
    const KEY: &str = include_str!("../../tests/cases/keys/k.pub");

    #[test]
    fn a_signature_by_openssh_holds_for_its_purpose_its_key_and_its_bytes_only() {
        let purpose = "memory-decision@example.org";
        let proof = check(purpose, MESSAGE.as_bytes(), ARMORED, KEY).unwrap();
        assert_eq!(
            proof.fingerprint,
            "SHA256:s/zw5DELhB355jOFONhgbm9uHnB0dlUaEg3eNvMAOWo"
        );
        assert!(!proof.touched, "an ordinary key proves no touch");
        assert!(check(DECISION, MESSAGE.as_bytes(), ARMORED, KEY).is_err());
        assert!(check(purpose, MESSAGE.trim_end().as_bytes(), ARMORED, KEY).is_err());
        let other = PrivateKey::from(Ed25519Keypair::from_seed(&[7; 32]));
        let other = other.public_key().to_openssh().unwrap();
        assert!(check(purpose, MESSAGE.as_bytes(), ARMORED, &other).is_err());
        for bad in [
            "",
            "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n",
        ] {
            assert!(check(purpose, MESSAGE.as_bytes(), bad, KEY).is_err());
        }
    }

    #[test]
    fn a_key_is_one_line_and_loses_its_comment() {
        let line = public_key(KEY).unwrap();
        assert_eq!(line.split(' ').count(), 2);
        assert_eq!(fingerprint(&line), fingerprint(KEY));
        assert!(public_key("ssh-ed25519 AAAA nothing").is_err());
    }

    /// What a security key does, in software: flags and counter stand inside what is signed.
    fn by_device(flags: u8) -> (String, String) {
        let pair = Ed25519Keypair::from_seed(&[9; 32]);
        let device = SkEd25519::new(pair.public, "ssh:");
        let public = PublicKey::new(KeyData::SkEd25519(device), "");
        let signed = SshSig::signed_data(DECISION, HashAlg::Sha512, b"message").unwrap();
        let mut data = crate::domain::Digest::of(b"ssh:").0.to_vec();
        let trailer = [flags, 0, 0, 0, 1];
        data.extend(trailer);
        data.extend(crate::domain::Digest::of(&signed).0);
        let key = ed25519_dalek::SigningKey::from_bytes(&[9; 32]);
        let mut bytes = ed25519_dalek::Signer::sign(&key, &data).to_bytes().to_vec();
        bytes.extend(trailer);
        let device_signature = Signature::new(Algorithm::SkEd25519, bytes).unwrap();
        let whole = SshSig::new(
            public.key_data().clone(),
            DECISION,
            HashAlg::Sha512,
            device_signature,
        )
        .unwrap();
        let armored = whole.to_pem(LineEnding::LF).unwrap();
        (armored, public.to_openssh().unwrap())
    }

    #[test]
    fn touch_is_read_from_the_signature_and_not_from_the_kind_of_key() {
        for (flags, touched) in [(0, false), (1, true), (4, false), (5, true)] {
            let (armored, key) = by_device(flags);
            let proof = check(DECISION, b"message", &armored, &key).unwrap();
            assert_eq!(proof.touched, touched, "flags {flags}");
            assert!(check(DECISION, b"other", &armored, &key).is_err());
        }
        // Flags changed after signing are no longer what the device signed.
        let (armored, key) = by_device(0);
        let mut whole = SshSig::from_pem(&armored).unwrap();
        let mut bytes = whole.signature_bytes().to_vec();
        let at = bytes.len() - super::TRAILER;
        bytes[at] = 1;
        let forged = Signature::new(Algorithm::SkEd25519, bytes).unwrap();
        whole = SshSig::new(
            whole.public_key().clone(),
            DECISION,
            HashAlg::Sha512,
            forged,
        )
        .unwrap();
        let forged = whole.to_pem(LineEnding::LF).unwrap();
        assert!(check(DECISION, b"message", &forged, &key).is_err());
    }
}
