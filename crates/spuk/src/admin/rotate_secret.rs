//! `spuk admin rotate-secret`.

use super::RotateArguments;
use crate::{Failure, exit};
use serde_json::json;
use web::cookie_secrets::rotate_cookie_secret;

pub(super) async fn run(arguments: &RotateArguments) -> Result<u8, Failure> {
    let store = arguments.common.open().await?;
    let rotated = rotate_cookie_secret(&store, arguments.forget).await;
    store.close().await;
    rotated.map_err(|error| error.to_string())?;
    let text = if arguments.forget {
        "Cookies are signed with a new secret; all earlier cookies are refused within a minute."
    } else {
        "Cookies are signed with a new secret within two minutes; earlier cookies are accepted for 180 days."
    };
    arguments.common.print(&json!({ "v": 1, "forgot": arguments.forget }), text)?;
    Ok(exit::YES)
}
