import { openService } from '../../../../test/testing/open-service.ts'

/** A whole service on a real PostgreSQL, with an organization that has development, staging and production. */
export interface RealServer {
  readonly url: string
  readonly orgId: string
  /** A server key of the organization. */
  readonly token: string
  /** A browser key of the organization. */
  readonly browserKey: string
  /** Calls an endpoint below the organization as its owner. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  remove(): Promise<void>
}

export async function startRealServer(): Promise<RealServer> {
  const service = await openService()
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${service.apiUrl}/organizations${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.bootstrapToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  const { id } = await call<{ id: string }>('POST', '', { name: 'Acme' })
  const found = await call<{ items: { name: string }[] }>('GET', `/${id}/environments`)
  for (const name of ['development', 'staging', 'production']) {
    if (found.items.some((each) => each.name === name)) continue
    await call('POST', `/${id}/environments`, { name, production: name === 'production' })
  }
  const keyOf = (kind: string) =>
    call<{ secret: string }>('POST', `/${id}/api-keys`, { name: kind, kind })
  return {
    url: service.apiUrl,
    orgId: id,
    token: (await keyOf('m2m')).secret,
    browserKey: (await keyOf('b2m')).secret,
    call: (method, path, body) => call(method, `/${id}${path}`, body),
    remove: () => service.remove(),
  }
}
