import { ExportError, type Importer, type LeftOutKey, requireEnvironment } from '../importer.ts'
import { isObject, parseJson } from '../read-json.ts'
import { toReadExport } from './to-read-export.ts'
import { createToIssue, type Variable } from './variable.ts'

/**
 * Reads Doppler: the names with texts of `doppler secrets download --format json`, or with objects, as
 * `doppler secrets --json` and the API list them. References are resolved there already.
 */
export const doppler: Importer = {
  source: 'doppler',
  variableCodes: 'DOP',
  fromFile: (text, options) => {
    const environment = requireEnvironment(options, 'An export of Doppler')
    const toIssue = createToIssue('DOP')
    const root = parseJson(text)
    const secrets = isObject(root) && isObject(root['secrets']) ? root['secrets'] : root
    if (!isObject(secrets)) {
      throw new ExportError(
        'This is no export of Doppler: doppler secrets download --no-file --format json writes an object.',
      )
    }
    const variables: Variable[] = []
    const leftOut: LeftOutKey[] = []
    for (const [name, member] of Object.entries(secrets)) {
      const value = isObject(member) ? (member['computed'] ?? null) : member
      if (value === null) {
        const cause = 'The export has no value: it is restricted, or the token may not read it.'
        leftOut.push({ from: name, issues: [toIssue('T006', 'high', cause, 'It is left out.')] })
      } else if (typeof value === 'string') {
        variables.push({ name, from: name, value, isSecret: false, issues: [] })
      } else throw new ExportError(`${name} is no text.`)
    }
    return toReadExport({ variables, leftOut }, { environment, toIssue })
  },
}
