//! Signing: with a key unlocked in this process, or through `ssh-keygen` for an agent or a security key.
//!
//! INVARIANT: nothing leaves this file that was not checked against the exact bytes. `ssh-keygen`
//! gets the message on its standard input only: given a file it may leave an old signature in
//! place and still say that all went well.

use crate::keys::KeyError;
use crate::keys::proof::{Proof, check, parse, written};
use ssh_key::{HashAlg, LineEnding, PrivateKey};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use zeroize::Zeroizing;

/// Someone's key, ready to sign.
pub struct Signer {
    public_key: String,
    fingerprint: String,
    touch: bool,
    guarded: bool,
    how: How,
}

enum How {
    /// Unlocked, in this process; wiped when it is dropped.
    Held(Box<PrivateKey>),
    /// In the agent; the file is the public key.
    Agent(PathBuf),
    /// A security key's handle: the device signs, through `ssh-keygen`.
    Device(PathBuf),
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Signer({})", self.fingerprint)
    }
}

impl Signer {
    /// Takes up the key at `path`. A private key that is locked is opened with what `passphrase`
    /// answers; a public key means that the agent signs.
    ///
    /// # Errors
    /// No such file, no key, or the wrong passphrase.
    pub fn open(
        path: &Path,
        passphrase: &mut dyn FnMut() -> Result<Zeroizing<String>, KeyError>,
    ) -> Result<Self, KeyError> {
        let unreadable =
            |error: std::io::Error| KeyError::Unreadable(path.to_owned(), error.to_string());
        let text = Zeroizing::new(std::fs::read_to_string(path).map_err(unreadable)?);
        if !text.contains("PRIVATE KEY") {
            return Self::of(&text, How::Agent(path.to_owned()), true);
        }
        let no_key = |error: ssh_key::Error| KeyError::NotAKey(error.to_string());
        let key = PrivateKey::from_openssh(text.as_bytes()).map_err(no_key)?;
        let public = written(key.public_key())?;
        if is_device(&public) {
            return Self::of(&public, How::Device(path.to_owned()), true);
        }
        if !key.is_encrypted() {
            return Self::of(&public, How::Held(Box::new(key)), false);
        }
        let secret = passphrase()?;
        let opened = key
            .decrypt(secret.as_bytes())
            .map_err(|_| KeyError::WrongPassphrase(path.to_owned()))?;
        Self::of(&public, How::Held(Box::new(opened)), true)
    }

    fn of(public: &str, how: How, guarded: bool) -> Result<Self, KeyError> {
        let key = parse(public)?;
        let public_key = written(&key)?;
        Ok(Self {
            fingerprint: key.fingerprint(HashAlg::Sha256).to_string(),
            touch: is_device(&public_key),
            public_key,
            guarded,
            how,
        })
    }

    /// The public key as one line.
    #[must_use]
    pub fn public_key(&self) -> &str {
        &self.public_key
    }

    /// Its fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Whether it is a device that may wait for a touch. What was touched is read from the signature.
    #[must_use]
    pub const fn waits_for_touch(&self) -> bool {
        self.touch
    }

    /// Whether a passphrase, an agent or a device stands between a reader of the file and the key.
    #[must_use]
    pub const fn is_guarded(&self) -> bool {
        self.guarded
    }

    /// Signs these bytes for this purpose, and checks what came back.
    ///
    /// # Errors
    /// The agent, the device or the tool did not sign, or not these bytes.
    pub fn sign(&self, namespace: &str, message: &[u8]) -> Result<(String, Proof), KeyError> {
        let armored = match &self.how {
            How::Held(key) => key
                .sign(namespace, HashAlg::Sha512, message)
                .and_then(|signature| signature.to_pem(LineEnding::LF))
                .map_err(|error| KeyError::Bad(error.to_string()))?,
            How::Agent(file) => with_tool(&["-U"], file, namespace, message)?,
            How::Device(file) => with_tool(&[], file, namespace, message)?,
        };
        let proof = check(namespace, message, &armored, &self.public_key)?;
        Ok((armored, proof))
    }
}

fn is_device(public_key: &str) -> bool {
    public_key.starts_with("sk-")
}

fn with_tool(
    more: &[&str],
    file: &Path,
    namespace: &str,
    message: &[u8],
) -> Result<String, KeyError> {
    let failed = |error: std::io::Error| KeyError::Tool(error.to_string());
    let mut child = Command::new("ssh-keygen")
        .args(["-q", "-Y", "sign", "-n", namespace, "-f"])
        .arg(file)
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(message).map_err(failed)?;
    }
    let ended = child.wait_with_output().map_err(failed)?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let last = said.lines().next_back().unwrap_or("it gave no reason");
        return Err(KeyError::Tool(last.trim().to_owned()));
    }
    String::from_utf8(ended.stdout).map_err(|error| KeyError::Bad(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::Signer;
    use crate::keys::{DECISION, KeyError};
    use ssh_key::private::Ed25519Keypair;
    use ssh_key::{Cipher, Kdf, LineEnding, PrivateKey};
    use std::path::PathBuf;
    use zeroize::Zeroizing;

    fn locked(folder: &tempfile::TempDir) -> PathBuf {
        let key = PrivateKey::from(Ed25519Keypair::from_seed(&[3; 32]));
        let kdf = Kdf::Bcrypt {
            salt: vec![1; 16],
            rounds: 1,
        };
        let locked = key
            .encrypt_with(Cipher::Aes256Ctr, kdf, 7, "correct horse")
            .unwrap();
        let path = folder.path().join("id");
        std::fs::write(&path, locked.to_openssh(LineEnding::LF).unwrap().as_bytes()).unwrap();
        path
    }

    #[test]
    fn a_locked_key_opens_with_its_passphrase_and_with_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = locked(&folder);
        let open = |word: &str| Signer::open(&path, &mut || Ok(Zeroizing::new(word.to_owned())));
        assert!(matches!(open("wrong"), Err(KeyError::WrongPassphrase(_))));
        let signer = open("correct horse").unwrap();
        assert!(signer.is_guarded() && !signer.waits_for_touch());
        let (armored, proof) = signer.sign(DECISION, b"bytes").unwrap();
        assert_eq!(proof.fingerprint, signer.fingerprint());
        assert!(crate::keys::check(DECISION, b"bytes", &armored, signer.public_key()).is_ok());
        assert!(crate::keys::check(DECISION, b"other", &armored, signer.public_key()).is_err());
    }

    #[test]
    fn what_is_no_key_is_refused_with_words() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("id");
        let mut never = || -> Result<Zeroizing<String>, KeyError> { Ok(Zeroizing::default()) };
        assert!(matches!(
            Signer::open(&path, &mut never),
            Err(KeyError::Unreadable(..))
        ));
        std::fs::write(&path, "hello").unwrap();
        assert!(matches!(
            Signer::open(&path, &mut never),
            Err(KeyError::NotAKey(_))
        ));
    }
}
