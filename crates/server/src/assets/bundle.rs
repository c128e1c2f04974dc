//! One script and one style sheet out of many: contributors have plain modules, browsers few requests.
//!
//! A module becomes a function that gives what it exports, called when it is first needed:
//! `import { a as b } from './x.js'` is `const { a: b } = $load('x.js')`, `import('./x.js')` a promise of it. That is right
//! for modules that import nothing in a circle and export no variable that changes; a page whose modules do otherwise is
//! refused by a test and served unbundled meanwhile. Lines that are comments stay at home.
//!
//! What the first page needs comes first ([`SCRIPT`]); the modules of the other pages follow when one of them is opened
//! ([`MORE`]). What runs before the first paint is a small bundle of its own ([`FIRST`]).

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// The names of what is made.
pub(super) const STYLE: &str = "app.css";
pub(super) const SCRIPT: &str = "app.js";
pub(super) const MORE: &str = "more.js";
pub(super) const FIRST: &str = "first.js";

const MAIN: &str = "main.js";
const PAGE: &str = "index.html";

/// Gives the bytes of a file.
type Source<'a> = &'a dyn Fn(&str) -> Option<Cow<'static, [u8]>>;

/// The page with the made files in place of the many, as far as they can be made.
pub(super) fn page(text: &str) -> String {
    let mut page = String::new();
    let mut has_style = false;
    for line in text.lines() {
        let is_style = line.contains("rel=\"stylesheet\"");
        if is_style && has_style {
            continue;
        }
        has_style |= is_style;
        let line = match is_style {
            true => "<link rel=\"stylesheet\" href=\"/assets/app.css\">".to_owned(),
            false => line.replace("/assets/main.js", "/assets/app.js"),
        };
        page.push_str(&line);
        page.push('\n');
    }
    page
}

/// All style sheets that the page links, in its order.
pub(super) fn style(source: Source<'_>) -> Option<String> {
    let page = read(source, PAGE)?;
    let links = page.lines().filter(|line| line.contains("rel=\"stylesheet\""));
    let paths = links.filter_map(|line| quoted_after(line, "href=\"/assets/"));
    let sheets: Vec<String> = paths.map(|path| read(source, path)).collect::<Option<_>>()?;
    Some(sheets.join("\n"))
}

/// The main module, the page that it names first, and all that these import at once. If the modules cannot be put together, a
/// script that only imports the main one.
pub(super) fn script(source: Source<'_>) -> Option<String> {
    source(MAIN)?;
    let Some((modules, first)) = divided(source) else { return Some(format!("import './{MAIN}';\n")) };
    let body = bodies(&modules, |path| first.contains(path));
    Some(format!(
        "const $loaded = {{}};\nexport const $load = (path) => ($loaded[path] ??= $modules[path]());\n\
         const $later = (path) => (path in $modules ? Promise.resolve() : import('./{MORE}')).then(() => $load(path));\n\
         export const $modules = {{\n{body}}};\n$load('{MAIN}');\n"
    ))
}

/// All other modules; they are added to those of [`script`].
pub(super) fn more(source: Source<'_>) -> Option<String> {
    source(MAIN)?;
    let Some((modules, first)) = divided(source) else { return Some(String::new()) };
    let body = bodies(&modules, |path| !first.contains(path));
    Some(format!(
        "import {{ $load, $modules }} from './{SCRIPT}';\n\
         const $later = (path) => Promise.resolve(path).then($load);\nObject.assign($modules, {{\n{body}}});\n"
    ))
}

/// What runs before the first paint, with all that it imports.
pub(super) fn first(source: Source<'_>) -> Option<String> {
    let alone = read(source, FIRST)?;
    let Some(modules) = all(source, FIRST) else { return Some(alone) };
    let body = bodies(&modules, |_| true);
    Some(format!(
        "const $loaded = {{}};\nconst $load = (path) => ($loaded[path] ??= $modules[path]());\n\
         const $modules = {{\n{body}}};\n$load('{FIRST}');\n"
    ))
}

fn bodies(modules: &BTreeMap<String, Module>, is_wanted: impl Fn(&str) -> bool) -> String {
    let wanted = modules.iter().filter(|(path, _)| is_wanted(path));
    wanted.map(|(path, module)| format!("'{path}': () => {{\n{}}},\n", module.text)).collect()
}

/// All modules, and the paths of those that the first page needs.
fn divided(source: Source<'_>) -> Option<(BTreeMap<String, Module>, BTreeSet<String>)> {
    let modules = all(source, MAIN)?;
    let later = modules[MAIN].imports.iter().find(|path| !modules[MAIN].at_once.contains(path));
    let mut waiting = vec![MAIN];
    waiting.extend(later.map(String::as_str));
    let mut first = BTreeSet::new();
    while let Some(path) = waiting.pop() {
        if first.insert(path.to_owned()) {
            waiting.extend(modules[path].at_once.iter().map(String::as_str));
        }
    }
    Some((modules, first))
}

/// A module and all that it imports at any time; none if they cannot be put together.
fn all(source: Source<'_>, path: &str) -> Option<BTreeMap<String, Module>> {
    let mut modules = BTreeMap::new();
    let mut waiting = vec![path.to_owned()];
    while let Some(path) = waiting.pop() {
        if modules.contains_key(&path) {
            continue;
        }
        let module = Module::read(&path, &read(source, &path)?)?;
        waiting.extend(module.imports.iter().cloned());
        modules.insert(path, module);
    }
    (!has_circle(&modules)).then_some(modules)
}

fn read(source: Source<'_>, path: &str) -> Option<String> {
    source(path).and_then(|bytes| String::from_utf8(bytes.into_owned()).ok())
}

fn quoted_after<'a>(line: &'a str, start: &str) -> Option<&'a str> {
    line.split_once(start)?.1.split_once('"').map(|(inner, _)| inner)
}

struct Module {
    text: String,
    /// All modules it needs now or later.
    imports: Vec<String>,
    /// Those it needs at once.
    at_once: Vec<String>,
}

impl Module {
    /// None for what this does not understand.
    fn read(path: &str, text: &str) -> Option<Module> {
        let mut module = Module { text: String::new(), imports: Vec::new(), at_once: Vec::new() };
        let mut exports: Vec<(String, String)> = Vec::new();
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let start = line.trim_start();
            if start.starts_with("//") {
                continue;
            }
            if start.starts_with("/**") {
                let mut end = start;
                while !end.trim_end().ends_with("*/") {
                    end = lines.next()?;
                }
                continue;
            }
            if line.starts_with("import ") {
                let statement = whole(line, &mut lines)?;
                module.import(path, &statement)?;
            } else if let Some(rest) = line.strip_prefix("export ") {
                let statement = if rest.starts_with('{') || rest.starts_with("const {") {
                    whole(rest, &mut lines)?
                } else {
                    rest.to_owned()
                };
                let (text, names) = export(&statement)?;
                module.text += &text;
                module.text.push('\n');
                exports.extend(names);
            } else {
                module.text += line;
                module.text.push('\n');
            }
        }
        module.import_later(path)?;
        let given: Vec<String> = exports.iter().map(|(outer, inner)| format!("'{outer}': {inner}")).collect();
        module.text += &format!("return {{ {} }};\n", given.join(", "));
        Some(module)
    }

    /// `import * as a from`, `import a from`, `import { a, b as c } from`, and `import './x.js'` for what it does.
    fn import(&mut self, path: &str, statement: &str) -> Option<()> {
        let inner = statement.strip_prefix("import ")?.trim_end_matches(';').trim();
        let (names, from) = inner.rsplit_once(" from ").unwrap_or(("{}", inner));
        let target = resolve(path, from.trim().trim_matches('\''))?;
        let names = match names.trim() {
            whole if whole.starts_with("* as ") => whole.trim_start_matches("* as ").to_owned(),
            list if list.starts_with('{') => list.replace(" as ", ": "),
            default => format!("{{ default: {default} }}"),
        };
        self.text += &format!("const {names} = $load('{target}');\n");
        self.imports.push(target.clone());
        self.at_once.push(target);
        Some(())
    }

    /// `import('./x.js')`.
    fn import_later(&mut self, path: &str) -> Option<()> {
        const LATER: &str = "import('";
        while let Some((before, after)) = self.text.split_once(LATER) {
            let (address, after) = after.split_once("')")?;
            let target = resolve(path, address)?;
            self.text = format!("{before}$later('{target}'){after}");
            self.imports.push(target);
        }
        Some(())
    }
}

/// A statement that may go over several lines, up to its semicolon.
fn whole<'a>(first: &str, lines: &mut impl Iterator<Item = &'a str>) -> Option<String> {
    let mut statement = first.to_owned();
    while !statement.trim_end().ends_with(';') {
        statement.push(' ');
        statement.push_str(lines.next()?.trim());
    }
    Some(statement)
}

/// What stands instead of an export, and the pairs of outer and inner names.
fn export(statement: &str) -> Option<(String, Vec<(String, String)>)> {
    let own = |name: &str| (name.to_owned(), name.to_owned());
    if let Some(value) = statement.strip_prefix("default ") {
        return Some((
            format!("const defaultExport = {value}"),
            vec![("default".into(), "defaultExport".into())],
        ));
    }
    if let Some(list) = statement.strip_prefix('{') {
        let list = list.trim_end().trim_end_matches(';').trim_end().strip_suffix('}')?;
        let pair = |item: &str| match item.trim().split_once(" as ") {
            Some((inner, outer)) => (outer.trim().to_owned(), inner.trim().to_owned()),
            None => own(item.trim()),
        };
        return Some((
            String::new(),
            list.split(',').filter(|item| !item.trim().is_empty()).map(pair).collect(),
        ));
    }
    if let Some(list) = statement.strip_prefix("const {") {
        let (names, _) = list.split_once('}')?;
        let inner = |item: &str| own(item.rsplit(':').next().unwrap_or(item).trim());
        return Some((
            statement.to_owned(),
            names.split(',').filter(|item| !item.trim().is_empty()).map(inner).collect(),
        ));
    }
    let words = statement.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$'));
    let mut words = words.filter(|word| !word.is_empty());
    let name = match words.next()? {
        "async" => words.nth(1)?,
        "function" | "class" | "const" => words.next()?,
        // What can change, and all other forms.
        _ => return None,
    };
    Some((statement.to_owned(), vec![own(name)]))
}

/// The path of `address` as seen from `path`.
fn resolve(path: &str, address: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in address.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Whether some module needs itself before it is there.
fn has_circle(modules: &BTreeMap<String, Module>) -> bool {
    fn goes_round<'a>(
        path: &'a str,
        modules: &'a BTreeMap<String, Module>,
        open: &mut Vec<&'a str>,
        done: &mut Vec<&'a str>,
    ) -> bool {
        if done.contains(&path) {
            return false;
        }
        if open.contains(&path) {
            return true;
        }
        open.push(path);
        let needed = modules.get(path).map_or(&[][..], |module| &module.at_once);
        let found = needed.iter().any(|next| goes_round(next, modules, open, done));
        open.pop();
        done.push(path);
        found
    }
    modules.keys().any(|path| goes_round(path, modules, &mut Vec::new(), &mut Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(files: &[(&str, &str)]) -> Option<String> {
        let files: BTreeMap<String, Vec<u8>> =
            files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        script(&|path| files.get(path).cloned().map(Cow::Owned))
    }

    #[test]
    fn modules_become_functions() {
        let bundle = made(&[
            ("main.js", "import { two as zwei,\n  three } from './a/b.js';\nrun(import('./c.js'));\n"),
            ("a/b.js", "import * as c from '../c.js';\nimport d from '../c.js';\nexport default 1;\nexport const two = c.x;\n"),
            ("c.js", "// a line\n/** a block\n * goes on */\nlet y = 1;\nexport class x {}\nexport const { p, q: r } = y;\nexport { y as w };\n"),
        ])
        .unwrap();
        assert!(!bundle.contains("a line") && !bundle.contains("goes on"), "{bundle}");
        for part in [
            "const { two: zwei, three } = $load('a/b.js');",
            "run($later('c.js'));",
            "const c = $load('c.js');\nconst { default: d } = $load('c.js');\nconst defaultExport = 1;",
            "return { 'default': defaultExport, 'two': two };",
            "return { 'x': x, 'p': p, 'r': r, 'w': y };",
            "$load('main.js');\n",
        ] {
            assert!(bundle.contains(part), "{part}\nis not in\n{bundle}");
        }
    }

    #[test]
    fn what_cannot_be_bundled_is_imported() {
        let round =
            [("main.js", "import { a } from './a.js';\n"), ("a.js", "import { b } from './main.js';\n")];
        assert_eq!(made(&round).unwrap(), "import './main.js';\n");
        let changing = [("main.js", "import { x } from './x.js';\n"), ("x.js", "export let x = 1;\n")];
        assert_eq!(made(&changing).unwrap(), "import './main.js';\n");
        assert_eq!(made(&[]), None);
    }

    #[test]
    fn the_first_page_comes_first_and_the_others_when_they_are_opened() {
        let files = [
            (
                "main.js",
                "import { a } from './a.js';\nconst pages = [() => import('./one.js'), () => import('./two.js')];\n",
            ),
            ("a.js", "export const a = 1;\n"),
            ("one.js", "import './b.js';\n"),
            ("b.js", "export const b = 1;\n"),
            ("two.js", "import { b } from './b.js';\nimport { c } from './c.js';\n"),
            ("c.js", "export const c = import('./two.js');\n"),
            ("first.js", "import { a } from './a.js';\nrun(a);\n"),
        ];
        let files: BTreeMap<String, Vec<u8>> =
            files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        let source = |path: &str| files.get(path).cloned().map(Cow::Owned);
        let holds = |bundle: &str| {
            let is_in = |path: &&&String| bundle.contains(&format!("'{path}': () => {{"));
            files
                .keys()
                .collect::<Vec<_>>()
                .iter()
                .filter(is_in)
                .map(|path| path.as_str())
                .collect::<Vec<_>>()
        };
        assert_eq!(holds(&script(&source).unwrap()), ["a.js", "b.js", "main.js", "one.js"]);
        assert_eq!(holds(&more(&source).unwrap()), ["c.js", "two.js"]);
        assert_eq!(holds(&first(&source).unwrap()), ["a.js", "first.js"]);
        assert!(script(&source).unwrap().contains("const {} = $load('b.js');"));
    }

    #[test]
    fn paths_are_seen_from_the_module() {
        assert_eq!(resolve("a/b.js", "../c/d.js").as_deref(), Some("c/d.js"));
    }
}
