import { schema as published } from '@octokit/graphql-schema'
import { buildSchema, graphql, isScalarType } from '../../../../../../sandbox/src/models/graphql.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createGithub } from '../github.ts'
import { createClock } from '../../../../../../sandbox/src/clock.ts'
import { pretendedSchema } from './create-graphql-route.ts'
import { createQueryRoot } from './query-root.ts'

const query = `query ($owner: String!, $name: String!) {
  here: repository(owner: $owner, name: $name) { nameWithOwner
    i1: issueOrPullRequest(number: 1) { ...on Issue { id: fullDatabaseId, number title state stateReason url
      repository { nameWithOwner } assignees(first: 1) { nodes { login name } } } __typename }
    i2: issueOrPullRequest(number: 2) { __typename ... on Issue { number } ... on PullRequest { number } }
    i3: issueOrPullRequest(number: 3) { __typename }
    i9: issueOrPullRequest(number: 9) { __typename }
  }
  away: repository(owner: $owner, name: "nothing, here") { nameWithOwner }
}`

/** The schema that GitHub publishes. Its numbers beyond 32 bits are text already. */
function publishedSchema() {
  const schema = buildSchema(published.idl, { assumeValid: true })
  for (const type of Object.values(schema.getTypeMap())) {
    if (isScalarType(type) && type.name === 'BigInt') type.serialize = String
  }
  return schema
}

let schema: ReturnType<typeof publishedSchema>
beforeAll(() => {
  schema = publishedSchema()
})

function openIssues(permissions?: Readonly<Record<string, 'read'>>) {
  const github = createGithub({ clock: createClock() })
  github.state.origin = 'http://127.0.0.1:1'
  const acme = github.state.accounts.get('acme')
  const ada = github.state.accounts.get('ada')
  if (acme === undefined || ada === undefined) throw new Error('The seed has lost its accounts')
  const { activity } = github
  const shop = activity.addRepository({ owner: acme, name: 'shop' })
  const api = activity.addRepository({ owner: acme, name: 'api' })
  const issue = activity.openIssue(shop, { title: 'Login, slow', author: ada, assignee: ada })
  activity.closeIssue(shop, issue, 'not_planned')
  activity.openPullRequest(shop)
  activity.transferIssue(shop, activity.openIssue(shop, { title: 'Moves', author: ada }), api)
  const installation = github.install({ account: 'acme' })
  const root = createQueryRoot(github.state, {
    kind: 'installation',
    app: github.app,
    installation,
    repositories: 'all',
    permissions: permissions ?? installation.permissions,
  })
  return { root, variables: { owner: 'Acme', name: 'shop' } }
}

/** Asks the pretended part of the schema, or the whole published one. */
async function ask(
  { root, variables }: ReturnType<typeof openIssues>,
  { source = query, by = pretendedSchema } = {},
) {
  const answer = await graphql({ schema: by, source, rootValue: root, variableValues: variables })
  const { data, errors = [] } = answer
  return {
    data: JSON.parse(JSON.stringify(data ?? null)) as unknown,
    errors: errors.map(({ path, message, extensions: { type } }) => ({ path, message, type })),
  }
}

describe('GraphQL of the pretended GitHub', () => {
  it('answers as the published schema does', async () => {
    const opened = openIssues()
    const own = await ask(opened)
    expect(own).toEqual(await ask(opened, { by: schema }))
    expect(own.errors.map(({ type }) => type)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'])
    expect(own.data).toMatchObject({
      away: null,
      here: {
        i1: { title: 'Login, slow', state: 'CLOSED', stateReason: 'NOT_PLANNED' },
        i2: { __typename: 'PullRequest', number: 2 },
        i3: null,
      },
    })
  })

  it('refuses a field that is not pretended and a missing variable, without an answer', async () => {
    const opened = openIssues()
    const source = '{ repository(owner: "acme", name: "shop") { stars } }'
    const { data, errors } = await ask(opened, { source })
    expect([data, errors[0]?.path]).toEqual([null, undefined])
    expect(errors[0]?.message).toContain('stars')
    const without = await ask({ ...opened, variables: { owner: 'acme' } } as never)
    expect(without.errors[0]?.message).toContain('$name')
  })

  it('refuses issues without the permission, and nothing else', async () => {
    const { data, errors } = await ask(openIssues({ metadata: 'read' }))
    expect(data).toMatchObject({ here: { nameWithOwner: 'acme/shop', i1: null } })
    expect(errors[0]).toMatchObject({ type: 'FORBIDDEN', path: ['here', 'i1'] })
  })
})
