import { readFileSync } from 'node:fs'
import process from 'node:process'
import {
  buildSchema,
  graphql,
  isSpecifiedScalarType,
  parse,
  validate,
  type GraphQLSchema,
} from '../../../../../sandbox/src/models/graphql.ts'
import { describe, expect, it } from 'vitest'
import { createClock } from '../../../../../sandbox/src/clock.ts'
import { createRoot } from './resolvers.ts'
import { linearSchema } from './schema.ts'
import { seedLinear } from './seed.ts'
import { createLinearState, identifierOf } from './state.ts'
import { compareFields, describeFields, queryEverything } from './testing/described-fields.ts'
import { readSdkTypes } from './testing/sdk-types.ts'
import { moveIssue } from './write-state.ts'

/** Names Linear's own schema, which is too large to be kept here: CONTRIBUTING.md says where it is. */
const path = process.env['LINEAR_SCHEMA']

const pretended = buildSchema(linearSchema)
const sdkTypes = readSdkTypes(
  Object.values(pretended.getTypeMap())
    .filter((type) => !isSpecifiedScalarType(type) && !type.name.startsWith('__'))
    .map(({ name }) => name),
)

/** Opens a workspace in which every field that may be null has a value somewhere. */
function openWorkspace() {
  const state = createLinearState(createClock())
  seedLinear(state)
  const moved = moveIssue(state, 'ABC-1', 'WEB2')
  moved.archivedAt = new Date('2026-01-02T03:04:05Z')
  const query = queryEverything(pretended, {
    issue: `(id: "${identifierOf(moved)}")`,
    issues: '(includeArchived: true, first: 2)',
    teams: '(first: 1)',
  })
  return { root: createRoot(state, 'http://127.0.0.1:1'), query }
}

/** Answers a query by a schema. @throws {Error} when the schema does not know what is asked for. */
async function answer(schema: GraphQLSchema, source: string, rootValue: object) {
  const [wrong] = validate(schema, parse(source))
  if (wrong !== undefined) throw wrong
  const { data, errors } = await graphql({ schema, source, rootValue })
  return { data: JSON.parse(JSON.stringify(data ?? null)) as unknown, errors }
}

describe('the pretended part of Linear’s schema', () => {
  it('has the names, types and arguments of the client that Linear publishes', () => {
    expect(sdkTypes.get('Issue.previousIdentifiers')).toBe('[String!]!')
    expect(compareFields(describeFields(pretended), sdkTypes)).toEqual([])
  })

  it('control: another name, type, argument or value is seen', () => {
    const other = linearSchema
      .replace('trashed: Boolean', 'trashed: Boolean!')
      .replace('number: Float!', 'number: Int!')
      .replace('priorityLabel', 'priorityName')
      .replace('includeArchived', 'withArchived')
      .replace('createdAt updatedAt', 'createdAt changedAt')
    expect(compareFields(describeFields(buildSchema(other)), sdkTypes).toSorted()).toEqual([
      'Issue.number is Float!, and not Int!',
      'Issue.priorityName is not published',
      'Issue.trashed is Boolean, and not Boolean!',
      'PaginationOrderBy.changedAt is not published',
      'Query.issues(withArchived) is not published',
    ])
  })

  it('is answered in whole', async () => {
    const { query, root } = openWorkspace()
    const { data, errors } = await answer(pretended, query, root)
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({
      issue: { previousIdentifiers: ['ABC-1'], archivedAt: '2026-01-02T03:04:05.000Z' },
      issues: { nodes: [{}, {}] },
      teams: { nodes: [{}] },
    })
  })

  it('control: an answer of another type is refused', async () => {
    const { query, root } = openWorkspace()
    const organization = { ...root.organization, name: ['Acme'] }
    const { errors } = await answer(pretended, query, { ...root, organization })
    expect(errors?.map(({ path: at }) => at)).toEqual([['organization', 'name']])
  })

  it.skipIf(path === undefined)(
    'is as Linear’s own schema has it, and so are the answers',
    async () => {
      const published = buildSchema(readFileSync(path ?? '', 'utf8'))
      expect(compareFields(describeFields(pretended), describeFields(published))).toEqual([])
      const { query, root } = openWorkspace()
      const judged = await answer(published, query, root)
      expect(judged.errors).toBeUndefined()
      expect(judged.data).toEqual((await answer(pretended, query, root)).data)
    },
    120_000,
  )
})
