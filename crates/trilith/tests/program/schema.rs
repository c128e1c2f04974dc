//! The schemas of the documents, and what is printed held against them.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The schema of a command, from the documents.
fn schema(command: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/commands.json");
    let all: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    all["commands"][command].clone()
}

/// The part of JSON Schema that ours uses; what is wrong, with its place.
fn check(schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| {
            let mut faults = Vec::new();
            check(choice, value, place, &mut faults);
            faults.is_empty()
        };
        if !choices.iter().any(fits) {
            faults.push(format!("{place}: none of the choices fits {value}"));
        }
        return;
    }
    if let Some(allowed) = schema["enum"].as_array() {
        if !allowed.contains(value) {
            faults.push(format!("{place}: {value} is not among {allowed:?}"));
        }
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => panic!("{place}: a schema without a type"),
    };
    let fits = |wanted: &&str| match *wanted {
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        other => panic!("{place}: unknown type {other}"),
    };
    if !types.iter().any(fits) {
        faults.push(format!("{place}: {value} is no {types:?}"));
    }
    for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(required).is_none() {
            faults.push(format!("{place}: `{required}` is missing"));
        }
    }
    if let (Some(known), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, field) in fields {
            match known.get(name) {
                Some(schema) => check(schema, field, &format!("{place}.{name}"), faults),
                None => faults.push(format!("{place}: the schema does not know `{name}`")),
            }
        }
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        values
            .iter()
            .enumerate()
            .for_each(|(at, value)| check(items, value, &format!("{place}[{at}]"), faults));
    }
}

/// Holds every line that was printed against the schema of a command.
pub fn hold(command: &str, printed: &str) {
    for line in printed.lines() {
        let value: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{command}: {error}: {line}"));
        let mut faults = Vec::new();
        check(&schema(command), &value, command, &mut faults);
        assert!(faults.is_empty(), "{faults:#?}");
    }
}

/// All commands that have a schema.
pub fn commands() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema/commands.json");
    let all: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    all["commands"].as_object().unwrap().keys().cloned().collect()
}
