//! TLS to PostgreSQL: a server of the test's own, with certificates made for it.

use service::store::Store;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A password that no message may show.
const PASSWORD: &str = "hunter-two";

/// Runs a program in a folder, and expects it to succeed.
fn run(folder: &Path, command: &mut Command) -> Output {
    let output = command.current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The folder of PostgreSQL's programs; Debian keeps them out of PATH.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.extend(versions.map(|version| version.path().join("bin")));
    let found = folders.into_iter().map(|folder| folder.join("initdb"));
    let initdb = found.filter_map(|file| file.canonicalize().ok()).next()?;
    initdb.parent().map(Path::to_owned)
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("version").output().is_ok_and(|output| output.status.success())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.trim_ascii() == b"0"
}

/// A PostgreSQL server that speaks TLS.
struct Server {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
}

impl Server {
    /// Starts one, with or without TLS; `None`, which is said, where there are no programs to do so.
    fn start(name: &str, ssl: bool) -> Option<Server> {
        let (Some(programs), true) = (programs(), is_there("openssl")) else {
            let all = std::env::var("SPUK_TEST_ALL").is_ok_and(|all| all == "1");
            assert!(!all, "SPUK_TEST_ALL is set, and PostgreSQL's programs or openssl are missing");
            let said = b"\nTLS IS LEFT OUT: PostgreSQL's programs or openssl are missing\n";
            // Not by a macro: what passing tests print is not shown.
            drop(std::io::stderr().write_all(said));
            return None;
        };
        let folder = std::env::temp_dir().join(format!("spuk_tls_{name}_{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Server { programs, folder, port };
        server.make_certificates();
        std::fs::write(server.folder.join("password"), PASSWORD).unwrap();
        if is_root() {
            run(&server.folder, Command::new("chown").args(["-R", "postgres", "."]));
        }
        let initdb = "-D data -U postgres -A scram-sha-256 --pwfile=password --no-sync";
        server.run_postgres("initdb", &initdb.split(' ').collect::<Vec<_>>());
        let ssl = if ssl {
            let files = server.folder.display();
            format!(
                "-c ssl=on -c ssl_cert_file={files}/server.pem -c ssl_key_file={files}/server.key"
            )
        } else {
            "-c ssl=off".to_owned()
        };
        let settings = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off {ssl}"
        );
        server.run_postgres("pg_ctl", &["-D", "data", "-w", "-l", "log", "-o", &settings, "start"]);
        Some(server)
    }

    /// Runs a program of PostgreSQL, which refuses to run as root.
    fn run_postgres(&self, program: &str, arguments: &[&str]) {
        let program = self.programs.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        // What the server inherits would keep a pipe open.
        let status = command
            .args(arguments)
            .current_dir(&self.folder)
            .stdout(std::process::Stdio::null())
            .status();
        assert!(status.unwrap().success(), "{arguments:?}");
    }

    /// Two authorities, `ca` and `other`; the first one signs a certificate for `localhost`.
    fn make_certificates(&self) {
        let openssl = |arguments: &str| {
            run(&self.folder, Command::new("openssl").args(arguments.split(' ')));
        };
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes";
        for authority in ["ca", "other"] {
            openssl(&format!(
                "req -x509 {key} -keyout {authority}.key -out {authority}.pem -days 2 -subj /CN={authority} \
                 -addext basicConstraints=critical,CA:TRUE"
            ));
        }
        openssl(&format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"));
        std::fs::write(self.folder.join("names"), "subjectAltName=DNS:localhost\n").unwrap();
        openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2 \
             -extfile names",
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(0o600);
            std::fs::set_permissions(self.folder.join("server.key"), mode).unwrap();
        }
    }

    fn url(&self, host: &str, parameters: &str) -> String {
        let parameters = parameters.replace("DIR", &self.folder.display().to_string());
        format!("postgres://postgres:{PASSWORD}@{host}:{}/postgres?{parameters}", self.port)
    }

    /// Whether the store's connections are encrypted; or why it cannot be opened.
    async fn encrypted(&self, host: &str, parameters: &str) -> Result<bool, String> {
        let store = Store::open(&self.url(host, parameters)).await.map_err(|error| {
            let message = error.to_string();
            assert!(!message.contains(PASSWORD), "{message}");
            message
        })?;
        let encrypted = store.is_encrypted().await.unwrap();
        store.close().await;
        Ok(encrypted)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.run_postgres("pg_ctl", &["-D", "data", "-m", "immediate", "stop"]);
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

#[test]
fn connections_to_postgresql_are_encrypted_and_verified() {
    let Some(server) = Server::start("on", true) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for (host, parameters, encrypted) in [
            ("localhost", "sslmode=verify-full&sslrootcert=DIR/ca.pem", true),
            ("localhost", "sslmode=verify-ca&sslrootcert=DIR/ca.pem", true),
            ("127.0.0.1", "sslmode=require", true),
            ("127.0.0.1", "sslmode=prefer", true),
            ("127.0.0.1", "sslmode=disable", false),
        ] {
            let found = server.encrypted(host, parameters).await;
            assert_eq!(found, Ok(encrypted), "{host} {parameters}");
        }
        for (host, parameters, next_step) in [
            ("localhost", "sslmode=verify-full&sslrootcert=DIR/other.pem", "sslrootcert=FILE"),
            ("localhost", "sslmode=verify-full", "sslrootcert=FILE"),
            ("127.0.0.1", "sslmode=verify-full&sslrootcert=DIR/ca.pem", "connect by a host name"),
            ("localhost", "sslmode=verify-full&sslrootcert=DIR/missing.pem", "sslrootcert"),
        ] {
            let refused = server.encrypted(host, parameters).await.unwrap_err();
            assert!(refused.contains(next_step), "{host} {parameters}: {refused}");
        }
    });
}

#[test]
fn a_server_without_tls_is_refused_where_tls_is_required() {
    let Some(server) = Server::start("off", false) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        for mode in ["require", "verify-full"] {
            let refused = server.encrypted("localhost", &format!("sslmode={mode}")).await;
            let refused = refused.unwrap_err();
            assert!(refused.contains("ssl = on"), "{refused}");
        }
        assert_eq!(server.encrypted("localhost", "sslmode=prefer").await, Ok(false));
    });
}
