import type { ConfigValue } from '@signalbox/contract'

/** Returns variables as a JSON object. Numbers and booleans keep their type. */
export function renderJson(values: ReadonlyMap<string, ConfigValue>): string {
  return `${JSON.stringify(Object.fromEntries(values), undefined, 2)}\n`
}

/** Matches characters that YAML allows only as escapes (YAML 1.2 §5.1), beyond those that JSON escapes. */
const unprintable = /[\u007F-\u009F\uFEFF\u2028\u2029\uFFFE\uFFFF]/g

/** Matches names that YAML 1.1 reads as a boolean, a number or nothing: without quotes, kubectl calls a variable ON "true". */
const word = /^(?:y|n|yes|no|on|off|true|false|null|\d.*)$/i

/** Returns variables as lines of YAML. Texts are in double quotes, where YAML reads what JSON writes. */
export function renderYamlLines(values: ReadonlyMap<string, ConfigValue>): string[] {
  return [...values].map(([name, value]) => {
    const text = JSON.stringify(value).replaceAll(
      unprintable,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    return `${word.test(name) ? JSON.stringify(name) : name}: ${text}`
  })
}
