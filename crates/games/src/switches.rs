//! Rule texts: `preset,key=value,...`, read the same way by every game.

use crate::error::RulesError;

/// Calls `apply` with each part of a rule text: `(word, None)` for a preset, `(key, Some(value))` for a switch.
pub fn each(
    text: &str,
    mut apply: impl FnMut(&str, Option<&str>) -> Result<(), RulesError>,
) -> Result<(), RulesError> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).try_for_each(|part| {
        match part.split_once('=') {
            Some((key, value)) => apply(key.trim(), Some(value.trim())),
            None => apply(part, None),
        }
    })
}

/// A whole number from `least` to `most`.
pub fn number(key: &str, value: &str, least: u32, most: u32) -> Result<u32, RulesError> {
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(RulesError::value(key, value, format!("a whole number from {least} to {most}"))),
    }
}

/// `on` or `off`.
pub fn switch(key: &str, value: &str) -> Result<bool, RulesError> {
    match value {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(RulesError::value(key, value, "`on` or `off`")),
    }
}

/// The text of a switch that is `on` or `off`.
pub fn on_off(value: bool) -> &'static str {
    if value { "on" } else { "off" }
}
