import { parseAllDocuments } from 'yaml'
import { ExportError } from './importer.ts'
import { parseJson } from './read-json.ts'

/**
 * Parses an export as YAML or JSON: one document or several, in JSON one a line. With `stringKeys`, the name `True` of a member is
 * no boolean. @throws {ExportError} with the line of the violation
 */
export function parseDocuments(
  text: string,
  options: { readonly stringKeys?: boolean } = {},
): unknown[] {
  if (text.trimStart().startsWith('{')) return parseJsonDocuments(text)
  const documents = parseAllDocuments(text, options)
  return [...documents].map((document) => {
    const [error] = document.errors
    if (error !== undefined) {
      throw new ExportError(`This is no YAML: line ${error.linePos?.[0].line ?? 1} can't be read.`)
    }
    try {
      return document.toJS()
    } catch {
      throw new ExportError("This is no YAML: an alias can't be resolved.")
    }
  })
}

function parseJsonDocuments(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const areDocuments = lines.length > 1 && lines.every((line) => line.startsWith('{'))
  if (!areDocuments) return [parseJson(text)]
  return lines.map((line, index) => {
    try {
      return JSON.parse(line)
    } catch {
      throw new ExportError(`This is no JSON: line ${index + 1} can't be read.`)
    }
  })
}
