//! The state that all handlers share.

use crate::assets::Assets;
use crate::client_address::TrustedProxies;
use crate::connections::ConnectionLimits;
use crate::cookie_secrets;
use crate::identity::CookieSigner;
use service::operator_token::OperatorToken;
use service::{Service, SharedService, StartError};
use std::path::PathBuf;
use std::sync::Arc;

/// How the site is run.
#[derive(Clone)]
pub struct Options {
    /// How the service behind it is run.
    pub service: service::Options,
    /// The token of researchers and operators; without one, the first start makes one and writes it
    /// to the file `token` in the data folder.
    pub token: Option<String>,
    /// The public URL of the site behind a proxy: `https://…`.
    pub public: Option<String>,
    /// The proxies whose `X-Forwarded-For` is believed, if the site has a public URL.
    pub trusted_proxies: TrustedProxies,
    /// Timeouts and the number of connections.
    pub connections: ConnectionLimits,
}

/// The state that all handlers share.
pub struct App {
    /// What the site knows and does.
    pub service: SharedService,
    /// Signs cookies.
    pub signer: CookieSigner,
    /// Style sheet and modules.
    pub assets: Assets,
    /// The public URL of the site.
    pub public: Option<String>,
    /// The proxies whose `X-Forwarded-For` is believed: none without a public URL.
    pub trusted_proxies: TrustedProxies,
    /// Timeouts and the number of connections.
    pub connections: ConnectionLimits,
    /// The token of researchers and operators.
    pub token: OperatorToken,
}

impl App {
    /// Opens the database and gets everything ready. If the operator token was made just now, the file
    /// that has it is returned.
    ///
    /// # Errors
    /// If the data cannot be opened.
    pub async fn start(options: Options) -> Result<(App, Option<PathBuf>), StartError> {
        let data = options.service.data.clone();
        let service = Service::start(options.service).await?;
        let secrets = cookie_secrets::load(&service.store).await.map_err(StartError::Store)?;
        let (token, token_file) = match &options.token {
            Some(token) => (OperatorToken::given(token), None),
            None => OperatorToken::load_or_create(&service.store, &data).await?,
        };
        let secure = options.public.as_ref().is_some_and(|public| public.starts_with("https:"));
        let trusted_proxies = match options.public {
            Some(_) => options.trusted_proxies,
            None => TrustedProxies::none(),
        };
        let app = App {
            service: Arc::new(service),
            signer: CookieSigner::new(secrets, secure),
            assets: Assets::default(),
            public: options.public,
            trusted_proxies,
            connections: options.connections,
            token,
        };
        Ok((app, token_file))
    }
}

/// The state as handlers get it.
pub type Shared = Arc<App>;
