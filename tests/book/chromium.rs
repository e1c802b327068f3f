//! Runs pages in a real browser.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Reports that something was not checked, because this machine lacks a program. Where `TRANSFORMER_TUTOR_NO_SKIPS` is
/// set, as in `.ci/run`, that is a failure.
#[track_caller]
pub fn skip(reason: &str) {
    assert!(
        std::env::var_os("TRANSFORMER_TUTOR_NO_SKIPS").is_none(),
        "{reason}"
    );
    eprintln!("{reason}");
}

/// True if Node.js is installed. A test without it is skipped.
#[track_caller]
pub fn has_node() -> bool {
    let quiet = Command::new("node")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = quiet.is_ok_and(|status| status.success());
    if !found {
        skip("There is no node on this machine, so no script of a page was run.");
    }
    found
}

/// The name of an installed Chromium, if there is one. A test without one is skipped.
#[track_caller]
pub fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let browser = names.into_iter().find(|name| {
        let found = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        found.is_ok_and(|status| status.success())
    });
    if browser.is_none() {
        skip("There is no Chromium on this machine, so no page was opened.");
    }
    browser
}

/// What every script can use: `turn` waits for the messages of the page. The browser's clock waits neither for workers,
/// which are left out, nor for anything else but messages, and runs ahead.
const TURN: &str = r#"<script>
delete window.Worker;
const channel = new MessageChannel();
const turn = () => new Promise((resume) => {
  channel.port1.onmessage = resume;
  channel.port2.postMessage(0);
});
</script>"#;

/// The report of a script appended to a page: the text of the `<pre id="driven">` that it leaves behind.
pub fn driven(browser: &str, page: &Path, script: &str) -> String {
    driven_in(browser, page, script, 800)
}

/// [`driven`] in a window that is `width` pixels wide.
pub fn driven_in(browser: &str, page: &Path, script: &str, width: u32) -> String {
    let html = fs::read_to_string(page).unwrap();
    let driven = page.with_file_name("driven.html");
    fs::write(
        &driven,
        html.replace("</body>", &format!("{TURN}{script}</body>")),
    )
    .unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=60000",
            "--dump-dom",
        ])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", driven.display()))
        .output()
        .unwrap();
    fs::remove_file(driven).unwrap();
    let dom = String::from_utf8_lossy(&output.stdout);
    let report = dom.split("<pre id=\"driven\">").nth(1);
    let report = report.and_then(|rest| rest.split("</pre>").next());
    report.map_or_else(
        || {
            let errors = String::from_utf8_lossy(&output.stderr);
            panic!("{} was not driven: {errors}", page.display())
        },
        ToOwned::to_owned,
    )
}

/// Opens every page of a built book, in the light and the dark theme, and checks its accessibility with axe.
///
/// `TRANSFORMER_TUTOR_AXE` names the file `axe.min.js` of the npm package axe-core; without it nothing is checked.
pub fn axe_finds_nothing(folder: &Path) {
    let Some(axe) = std::env::var_os("TRANSFORMER_TUTOR_AXE") else {
        eprintln!("TRANSFORMER_TUTOR_AXE names no axe.min.js, so axe was not run.");
        return;
    };
    let Some(browser) = browser() else { return };
    let axe = fs::read_to_string(axe).unwrap();
    let script = format!(
        r##"<script>{axe}</script><script>
window.addEventListener("load", () => setTimeout(() => {{
  document.querySelectorAll(".tt-skip").forEach((button) => button.click());
  const look = async (theme) => {{
    document.documentElement.classList.remove("light", "rust", "coal", "navy", "ayu");
    document.documentElement.classList.add(theme);
    const found = await axe.run(document.querySelector("main"));
    const serious = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
    return serious.map((v) => theme + " " + v.id + ": " + v.nodes[0].html.slice(0, 200));
  }};
  (async () => {{
    const said = [...await look("light"), ...await look("navy")].join("\n");
    document.body.append(Object.assign(document.createElement("pre"), {{ id: "driven", textContent: said }}));
  }})();
}}, 100));
</script>"##
    );
    for entry in fs::read_dir(folder).unwrap() {
        let page = entry.unwrap().path();
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        if page.extension().is_some_and(|e| e == "html")
            && !["toc.html", "print.html"].contains(&name.as_str())
        {
            let report = driven(browser, &page, &script);
            assert_eq!(report, "", "{name}");
        }
    }
}
