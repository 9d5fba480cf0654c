import type { FetchInit, FetchLike, ResponseLike } from './client-types.ts'

/** Freezes the parts of a snapshot, which several readers share, and not the snapshot itself, which the client changes. */
const freezeParts = (key: string, value: unknown) => (key === '' ? value : Object.freeze(value))

/** Returns a response with a body that arrived earlier. */
function replay(text: string, headers: ResponseLike['headers']): ResponseLike {
  return {
    ok: true,
    status: 200,
    headers,
    body: undefined,
    json: async () => JSON.parse(text, freezeParts),
  }
}

/**
 * Returns a `fetch` for one address that sends the ETag of the last response, and returns that response again on 304,
 * as the HTTP cache of a browser does.
 */
export function createConditionalFetch(request: FetchLike): FetchLike {
  let known: { readonly etag: string; readonly text: string } | undefined
  return async (url, { signal }: FetchInit) => {
    const response = await request(url, {
      ...(known && { headers: { 'if-none-match': known.etag } }),
      ...(signal !== undefined && { signal }),
    })
    if (response.status === 304 && known) return replay(known.text, response.headers)
    const etag = response.headers.get('etag')
    if (!response.ok || etag === null) return response
    const text = JSON.stringify(await response.json())
    known = { etag, text }
    return replay(text, response.headers)
  }
}
