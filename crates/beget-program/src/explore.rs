//! `beget explore`: a server on this machine that shows the structures of a run.
//!
//! It listens on the loopback address only, answers requests that name this address, and only
//! reads. No part of a request is used in a file name. The calls on a structure are made when its
//! page asks for them.
//!
//! No feature leaves it out: `tiny_http` and the four small crates below it take four of the six
//! hundred seconds of the program's build, and a switch would be one more thing to know.

mod filter;
mod index;
mod live;
mod pages;
mod query;
mod search;

use std::io::Write as _;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::Duration;

use tiny_http::{Header, Method, Request, Response, Server};

use beget_args::cli::{
    CiArgs, ExploreArgs, General, GenerateArgs, Keep, MachinesArgs, SummaryFormat,
};

use crate::error::CliError;
use crate::records::{JSON_LINES, SCOPE_FILE, WrittenDir};
use crate::{Catalog, Exit, generate, interrupt, name, print};

use index::Index;
use live::LiveRun;
use pages::{PageReply, Site};

/// The interval between checks for an interrupt.
const TICK: Duration = Duration::from_millis(100);
/// The longest address that the pages use.
const LONGEST_ADDRESS: usize = 4096;

pub(crate) fn run(
    args: &ExploreArgs,
    general: &General,
    catalog: Catalog,
) -> Result<Exit, CliError> {
    let path = &args.scope.file.path;
    if path.is_dir() {
        interrupt::listen();
        let site = site_of(path, catalog, general)?;
        return serve(&site, &server_at(args.port)?, Exit::Done);
    }
    let server = server_at(args.port)?;
    let directory = tempfile::tempdir()?;
    let written = directory.path().join("structures");
    let generate = GenerateArgs {
        scope: args.scope.clone(),
        output: Some(written.clone()),
        full: true,
        summary: SummaryFormat::Text,
        run: args.run.clone(),
        keep: Keep::All,
        supervision: args.supervision.clone(),
        machines: MachinesArgs::default(),
        ci: CiArgs { no_annotations: true, ..CiArgs::default() },
    };
    let exit = generate::run(&generate, general, catalog.clone())?;
    if interrupt::is_interrupted() {
        return Ok(exit);
    }
    serve(&site_of(&written, catalog, general)?, &server, exit)
}

fn site_of(path: &Path, catalog: Catalog, general: &General) -> Result<Site, CliError> {
    let dir = WrittenDir::open(path)?;
    if !dir.has_heaps()? {
        let (program, scope) = (name::program(), name::quoted_path(&path.join(SCOPE_FILE)));
        return Err(CliError::Usage(format!(
            "`{}` has no heaps: write it with `generate --full`, or make the run again: {program} explore {scope} -k {}",
            path.display(),
            dir.header().k
        )));
    }
    let index = Index::of(&path.join(JSON_LINES)).map_err(|error| {
        CliError::Usage(format!("`{}` cannot be read: {error}", path.join(JSON_LINES).display()))
    })?;
    Ok(Site::new(index, dir.header().clone(), LiveRun::new(path, catalog, general)))
}

/// A server that listens on this port, or on any free one for 0.
fn server_at(port: u16) -> Result<Server, CliError> {
    Server::http((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        CliError::Usage(format!("cannot listen on port {port} of 127.0.0.1: {error}"))
    })
}

/// Answers requests until an interrupt.
fn serve(site: &Site, server: &Server, exit: Exit) -> Result<Exit, CliError> {
    let address = server.server_addr().to_ip();
    let port = address.map_or(0, |address| address.port());
    print::result(&format!("http://127.0.0.1:{port}/\n"))?;
    std::io::stdout().flush()?;
    // The next page says if the file cannot be read.
    while !interrupt::is_interrupted() {
        let is_idle = site.search_on().unwrap_or(true);
        let wait = if is_idle { TICK } else { Duration::ZERO };
        // A broken connection concerns only the browser.
        if let Ok(Some(request)) = server.recv_timeout(wait) {
            let answer = answer(site, &request, port);
            let _ = request.respond(response(answer));
        }
    }
    // This command ends by an interrupt.
    Ok(exit)
}

fn answer(site: &Site, request: &Request, port: u16) -> PageReply {
    let refuse = |status, text: &str| PageReply { status, html: text.to_owned() };
    // Otherwise another page in the same browser could reach this one by its own host name.
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let host = request.headers().iter().find(|header| header.field.equiv("Host"));
    if !host.is_some_and(|host| own.iter().any(|own| host.value == own.as_str())) {
        return refuse(403, "This server answers to 127.0.0.1 and localhost only.");
    }
    // Browsers send the page that a request comes from. Only our pages may make calls.
    let from = request.headers().iter().find(|header| header.field.equiv("Sec-Fetch-Site"));
    if from.is_some_and(|from| from.value != "same-origin" && from.value != "none") {
        return refuse(403, "This server answers to its own pages only.");
    }
    if *request.method() != Method::Get {
        return refuse(405, "This server only shows.");
    }
    if request.url().len() > LONGEST_ADDRESS {
        return refuse(414, "The address is too long.");
    }
    site.answer(request.url())
}

fn response(answer: PageReply) -> Response<std::io::Cursor<Vec<u8>>> {
    const HEADERS: [&str; 4] = [
        "Content-Type: text/html; charset=utf-8",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
         form-action 'self'",
        "X-Content-Type-Options: nosniff",
        "Cache-Control: no-store",
    ];
    let headers = HEADERS.iter().filter_map(|header| header.parse::<Header>().ok());
    let response = Response::from_string(answer.html).with_status_code(answer.status);
    headers.fold(response, Response::with_header)
}
