/** Calls endpoints below an address with one credential. Throws for every answer that is not a success. */
export type Caller = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** A caller for the addresses below `base`. */
export function callAs(base: string, token: string): Caller {
  return async (method, path, body) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
}
