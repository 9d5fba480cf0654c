import { declareEndpoints, endpoints } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { renderDocsPage } from '../answers/docs-page.ts'
import { renderOpenApi } from './openapi.ts'

const options = {
  version: '1.0.0',
  publicUrl: 'http://127.0.0.1:4400',
  configUrl: 'http://127.0.0.1:4401',
}
const document = renderOpenApi(Object.values(endpoints), options)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Every `$ref` of the document that leads nowhere. */
function danglingRefs(): string[] {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  const names = refs.map(([, name = '']) => name)
  return names.filter((name) => !Object.hasOwn(document.components.schemas, name))
}

describe('renderOpenApi', () => {
  it('describes every endpoint once, under its own operation id', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(ids.toSorted()).toEqual(Object.keys(endpoints).toSorted())
  })

  it('has no dangling reference', () => {
    expect(danglingRefs()).toEqual([])
    expect(JSON.stringify(document)).not.toContain('$defs')
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Problem', 'Organization', 'ConfigSchema', 'StoredValues']),
    )
  })

  it('declares each parameter of a path and no other', () => {
    const wrong = operations.filter(({ path, operation }) => {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path')
      return declared.map(({ name }) => name).join() !== inPath.join()
    })
    expect(wrong).toEqual([])
  })

  it('asks for credentials everywhere but at open endpoints', () => {
    const open = operations.filter(({ operation }) => operation.security.length === 0)
    const declared = Object.values(endpoints).filter(({ access }) => access.kind === 'open')
    expect(open.length).toBe(declared.length)
  })

  it('shows queries, bodies, answers, refusals and where they are served', () => {
    const find = (id: string) =>
      operations.find(({ operation }) => operation.operationId === id)?.operation
    expect(find('getConfigValues')).toMatchObject({
      parameters: [
        { name: 'org_id', in: 'path', required: true },
        { name: 'schemaId', in: 'query', required: true },
        { name: 'environmentId', in: 'query', required: true },
        { name: 'reveal', in: 'query', required: false },
        { name: 'key', in: 'query', required: false },
      ],
      responses: {
        200: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/StoredValues' } },
          },
        },
        403: { description: expect.stringContaining('key_scope_forbidden') },
      },
    })
    const required = ['schemaId', 'environmentId', 'values']
    const properties = { version: { readOnly: true } }
    const schema = { required, properties, additionalProperties: false }
    expect(find('setConfigValues')).toMatchObject({
      requestBody: { content: { 'application/json': { schema } } },
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'If-Match' })]),
    })
    const text = { schema: { type: 'string' } }
    expect(find('receiveWebhook')?.responses).toMatchObject({
      200: { content: { 'text/plain': text } },
      202: { description: 'Done.' },
      404: { description: expect.stringContaining('not_found') },
    })
    expect(find('finishAuthorization')?.responses).toMatchObject({
      303: { description: 'Done.' },
      // A page and a problem share this status, so the document describes both.
      400: {
        description: expect.stringMatching(/^A page with .*invalid_query/),
        content: { 'text/html': text, 'application/problem+json': {} },
      },
    })
    expect(find('readSnapshot')).toMatchObject({ servers: [{ url: options.configUrl }, {}] })
  })

  it('links each problem to the page of the server that answers it', () => {
    const text = JSON.stringify(document)
    expect(text).toContain('[`not_found`](http://127.0.0.1:4400/docs/problems#not_found)')
    expect(text).not.toContain('https://signalbox.dev')
  })

  it('spells no pattern of a date and no limit that only says what a number is', () => {
    expect(JSON.stringify(document)).not.toContain('9007199254740991')
    expect(JSON.stringify(document)).not.toContain('[13579][26]')
  })
})

describe('renderDocsPage', () => {
  const page = renderDocsPage(document)

  /** Matches the scripts of the page itself, which are files of the server. */
  const ownScripts = /<script src="\/assets\/\w+\.js"(?: defer)?><\/script>/g

  it('shows every endpoint without a script in it, a foreign address or an inline attribute of style', () => {
    const html = page.body.toString()
    for (const id of Object.keys(endpoints)) expect(html).toContain(`id="${id}"`)
    expect(html.replaceAll(ownScripts, '')).not.toContain('<script')
    expect(html).not.toMatch(/\s(?:style|on\w+)=/)
    expect(html).not.toMatch(/\s(?:src|href)="(?![/#])/)
    expect(html).toContain('<a href="/docs/problems#not_found"><code>not_found</code></a>')
    expect(html).not.toMatch(/\]\(\S+\/docs\/problems#/)
    expect(html.replaceAll(/<pre>.*?<\/pre>/gs, '')).not.toContain('`')
    expect(page.headers['Content-Security-Policy']).toContain("default-src 'none'")
  })

  it('escapes whatever a declaration says', () => {
    const { x } = declareEndpoints({ topics: [] })({
      x: {
        method: 'GET',
        path: '/x',
        tag: '"><script>alert(1)</script>',
        summary: '<img src=x onerror=alert(1)>',
        access: { kind: 'open' },
        query: z.object({ '<b>': z.string() }),
        response: { status: 200, body: z.object({ '</pre><script>': z.string() }) },
      },
    })
    const html = renderDocsPage(renderOpenApi([x], options)).body.toString()
    expect(html.replaceAll(ownScripts, '')).not.toContain('<script')
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('<b>alert')
  })
})
