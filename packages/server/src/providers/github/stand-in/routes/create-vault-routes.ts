import { empty, json } from '../../../../../../sandbox/src/http/answers.ts'
import type { Answer, Route } from '../../../../../../sandbox/src/http/route.ts'
import type { ActionsVault } from '../actions-vault.ts'
import { notFound, refuse } from '../errors.ts'
import { createInput } from './create-input.ts'
import { pageOf } from '../page-of.ts'
import { toRoute, type RepositoryRequest, type RepositoryParts } from './repository-route.ts'

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** A sealed box is 48 bytes longer than what is in it: the sender's key and the tag. */
const overheadBytes = 48
const valueBytesMax = 48 * 1024
const variablesPageMax = 30

/** Describes what has secrets and variables. */
interface VaultScope {
  readonly base: string
  readonly secrets: string
  readonly variables: string
  readonly vaultOf: (request: RepositoryRequest) => ActionsVault | undefined
}

/**
 * Creates the routes of Actions secrets and variables, of a repository and of its environments. Reading and writing need the
 * permission of the scope, as on GitHub.
 */
export function createVaultRoutes(deps: RepositoryParts): Route[] {
  const scopes: readonly VaultScope[] = [
    {
      base: '/actions',
      secrets: 'secrets',
      variables: 'actions_variables',
      vaultOf: ({ repository }) => repository.vault,
    },
    {
      base: '/environments/:environment',
      secrets: 'environments',
      variables: 'environments',
      vaultOf: ({ repository, params: { environment = '' } }) =>
        repository.environments.get(environment.toLowerCase())?.vault,
    },
  ]
  return scopes.flatMap((scope) => [...secretRoutes(deps, scope), ...variableRoutes(deps, scope)])
}

type Handle = (request: RepositoryRequest, vault: ActionsVault) => Answer

/** Creates the routes of a scope, such as `PATCH /variables/:name`. Reading is by GET alone. */
function routesIn(deps: RepositoryParts, { base, vaultOf }: VaultScope, permission: string) {
  return (at: string, handle: Handle) =>
    toRoute(
      deps,
      at.replace(' ', ` ${base}`),
      [permission, at.startsWith('GET ') ? 'read' : 'write'],
      (request) => {
        const vault = vaultOf(request)
        return vault === undefined ? notFound() : handle(request, vault)
      },
    )
}

function secretRoutes(deps: RepositoryParts, scope: VaultScope): Route[] {
  const at = routesIn(deps, scope, scope.secrets)
  const now = () => deps.state.clock.now()
  return [
    at('GET /secrets', (request, { secrets }) => {
      const { items, headers } = pageOf(request, [...secrets.values()])
      const entries = items.map(({ name, createdAt, updatedAt }) => ({
        name,
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
      }))
      return json({ total_count: secrets.size, secrets: entries }, 200, headers)
    }),
    at('GET /secrets/public-key', (_request, { keyId, publicKey }) =>
      json({ key_id: keyId, key: publicKey }),
    ),
    at('PUT /secrets/:name', (request, vault) => {
      const input = createInput(request)
      const encryptedValue = input.requiredText('encrypted_value')
      const keyId = input.requiredText('key_id')
      const rejection = input.rejection() ?? refuseName(request) ?? refuseBox(encryptedValue)
      if (rejection !== undefined) return rejection
      if (keyId !== vault.keyId) return refuse(422, 'Invalid key_id')
      const name = nameOf(request)
      const known = vault.secrets.get(name)
      if (known === undefined) {
        vault.secrets.set(name, { name, encryptedValue, createdAt: now(), updatedAt: now() })
        return json({}, 201)
      }
      Object.assign(known, { encryptedValue, updatedAt: now() })
      return empty()
    }),
    at('DELETE /secrets/:name', (request, { secrets }) =>
      secrets.delete(nameOf(request)) ? empty() : notFound(),
    ),
  ]
}

function variableRoutes(deps: RepositoryParts, scope: VaultScope): Route[] {
  const at = routesIn(deps, scope, scope.variables)
  const now = () => deps.state.clock.now()
  return [
    at('GET /variables', (request, { variables }) => {
      const size = Math.min(variablesPageMax, Number(request.query.get('per_page') ?? 10))
      const query = new URLSearchParams({
        ...Object.fromEntries(request.query),
        per_page: `${size}`,
      })
      const { items, headers } = pageOf({ ...request, query }, [...variables.values()])
      const entries = items.map(({ name, value, createdAt, updatedAt }) => ({
        name,
        value,
        created_at: createdAt.toISOString(),
        updated_at: updatedAt.toISOString(),
      }))
      return json({ total_count: variables.size, variables: entries }, 200, headers)
    }),
    at('POST /variables', (request, { variables }) => {
      const input = createInput(request)
      const text = input.requiredText('name')
      const value = input.requiredText('value')
      const rejection = input.rejection() ?? refuseName(request, text) ?? refuseValue(value)
      if (rejection !== undefined) return rejection
      const name = text.toUpperCase()
      if (variables.has(name)) return refuse(409, 'Already exists - Variable already exists')
      variables.set(name, { name, value, createdAt: now(), updatedAt: now() })
      return json({}, 201)
    }),
    ...variableChanges(deps, scope),
  ]
}

function variableChanges(deps: RepositoryParts, scope: VaultScope): Route[] {
  const at = routesIn(deps, scope, scope.variables)
  const now = () => deps.state.clock.now()
  return [
    at('PATCH /variables/:name', (request, { variables }) => {
      const input = createInput(request)
      const value = input.text('value')
      const rejection = input.rejection() ?? refuseValue(value ?? '-')
      if (rejection !== undefined) return rejection
      const known = variables.get(nameOf(request))
      if (known === undefined) return notFound()
      Object.assign(known, { value: value ?? known.value, updatedAt: now() })
      return empty()
    }),
    at('DELETE /variables/:name', (request, { variables }) =>
      variables.delete(nameOf(request)) ? empty() : notFound(),
    ),
  ]
}

function nameOf({ params: { name = '' } }: RepositoryRequest): string {
  return name.toUpperCase()
}

/** @see https://docs.github.com/en/actions/reference/security/secrets#naming-your-secrets */
function refuseName(request: RepositoryRequest, name = nameOf(request)): Answer | undefined {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^github_/i.test(name)) return undefined
  return refuse(
    422,
    'Secret names can only contain alphanumeric characters ([a-z], [A-Z], [0-9]) or underscores (_). Spaces are not allowed. Must start with a letter ([a-z], [A-Z]) or underscores (_).',
  )
}

function refuseBox(text: string): Answer | undefined {
  const bytes = Buffer.byteLength(text, 'base64')
  const isBox = base64.test(text) && bytes > overheadBytes && bytes <= valueBytesMax + overheadBytes
  return isBox ? undefined : refuse(422, 'Secret value is not a valid sealed box')
}

function refuseValue(value: string): Answer | undefined {
  const bytes = Buffer.byteLength(value)
  return bytes > 0 && bytes <= valueBytesMax ? undefined : refuse(422, 'Variable value is invalid')
}
