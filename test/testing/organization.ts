import { bearer, read, type Client } from './http.ts'

/** Holds the created resources, as far as proofs need them. */
export interface Made {
  readonly id: string
  readonly name: string
}

export interface MadeOrganization extends Made {
  readonly slug: string
}

export interface MadeKey {
  readonly id: string
  readonly secret: string
}

/** Makes things over the API, as their owner would. */
export interface Maker {
  organization(name: string): Promise<MadeOrganization>
  environment(orgId: string, body: object): Promise<Made>
  schema(orgId: string, body: object): Promise<Made>
  key(orgId: string, body: object): Promise<MadeKey>
  /** Any other call, which must succeed. */
  call<T>(request: string, json?: unknown): Promise<T>
}

/** Opens a maker that works with the rights of `token`. */
export function createMaker(client: Client, token: string): Maker {
  const call = async <T>(request: string, json?: unknown): Promise<T> => {
    const [method = 'GET', path = '/'] = request.split(' ')
    const answer = await client.send({ method, path, json, headers: bearer(token) })
    if (answer.status === 204) return undefined as T
    try {
      return read(answer) as T
    } catch (error) {
      throw new Error(`${request} failed`, { cause: error })
    }
  }
  return {
    call,
    organization: (name) => call('POST /organizations', { name }),
    environment: (orgId, body) => call(`POST /organizations/${orgId}/environments`, body),
    schema: (orgId, body) => call(`POST /organizations/${orgId}/config-schemas`, body),
    key: (orgId, body) => call(`POST /organizations/${orgId}/api-keys`, body),
  }
}
