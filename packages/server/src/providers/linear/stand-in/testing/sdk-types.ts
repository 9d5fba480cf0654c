import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DescribedFields } from './described-fields.ts'

/** Reads the types that Linear generates from its schema into its own client: what they say of the fields of some types. */
export function readSdkTypes(names: readonly string[]): DescribedFields {
  const text = readDeclarations()
  const described = new Map<string, string>()
  for (const name of names) {
    for (const [field, type] of fieldsOf(text, name)) described.set(`${name}.${field}`, type)
    for (const value of valuesOf(text, name)) described.set(`${name}.${value}`, '')
  }
  for (const [field] of fieldsOf(text, 'Query')) {
    const args = fieldsOf(text, `Query${field.charAt(0).toUpperCase()}${field.slice(1)}Args`)
    for (const [argument, type] of args) described.set(`Query.${field}(${argument})`, type)
  }
  return described
}

/** Returns the one file of declarations that holds the schema. Its name has a hash in it. */
function readDeclarations(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('@linear/sdk')))
  const holding = readdirSync(folder)
    .filter((name) => name.endsWith('.d.mts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .find((text) => text.includes('\ntype Query = {'))
  if (holding === undefined) throw new Error('The client of Linear no longer holds the types')
  return holding
}

/** Returns the fields of `type Issue = Node & {…};` with their types as GraphQL writes them. */
function fieldsOf(text: string, name: string): readonly (readonly [name: string, type: string])[] {
  const body = bodyOf(text, new RegExp(`^type ${name} = (?:\\w+ & )*\\{$`, 'm'))
  return [...body.matchAll(/^ {2}(\w+)\??: (.+);$/gm)].flatMap(([, field = '', type = '']) =>
    field === '__typename' ? [] : [[field, toGraphql(type)] as const],
  )
}

function valuesOf(text: string, name: string): readonly string[] {
  const body = bodyOf(text, new RegExp(`^declare enum ${name} \\{$`, 'm'))
  return [...body.matchAll(/= "(\w+)"/g)].map(([, value = '']) => value)
}

function bodyOf(text: string, start: RegExp): string {
  const match = start.exec(text)
  if (match === null) return ''
  const from = match.index + match[0].length
  return text.slice(from, text.indexOf('\n}', from))
}

/** Returns `[String!]` for `Maybe<Array<Scalars["String"]>>`: what is not `Maybe` is not null. */
function toGraphql(type: string): string {
  const [, nullable] = /^(?:Input)?Maybe<(.+)>$/.exec(type) ?? []
  if (nullable !== undefined) return toGraphql(nullable).replace(/!$/, '')
  const [, item] = /^Array<(.+)>$/.exec(type) ?? []
  if (item !== undefined) return `[${toGraphql(item)}]!`
  const [, scalar] = /^Scalars\["(\w+)"\]$/.exec(type) ?? []
  return `${scalar ?? type}!`
}
