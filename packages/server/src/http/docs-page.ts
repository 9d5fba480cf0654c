import { createHash } from 'node:crypto'
import type { RawAnswer } from './endpoint-request.ts'
import type { JsonSchema } from './json-schema.ts'
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts'
import { pageHeaders } from './security-headers.ts'

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 56rem; margin: 0 auto; padding: 1rem }
h2 { margin-top: 3rem; border-bottom: 1px solid #8886 }
summary { cursor: pointer; padding: .25rem 0; overflow-wrap: anywhere }
details[open] { padding-bottom: 1.5rem }
code, pre { font: 14px/1.4 ui-monospace, monospace }
pre { overflow: auto; padding: .75rem; background: #8881; border-radius: .25rem; max-height: 30rem }
b { display: inline-block; min-width: 4.5rem; font: 700 14px ui-monospace, monospace }
table { border-collapse: collapse } td { padding: .1rem 1rem .1rem 0; vertical-align: top }
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** The OpenAPI document as a page to read: no script, nothing fetched from anywhere. */
export function renderDocsPage(document: OpenApiDocument): RawAnswer {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const inTag = operations.filter(({ operation }) => operation.tags.includes(tag))
    return `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${inTag.map(renderOperation).join('')}`
  })
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="shape-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${renderSchema(schema)}</details>`,
  )
  const { title, version, description } = document.info
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} API</title>
<style>${style}</style>
<h1>${escapeHtml(title)} API</h1>
<p>Version ${escapeHtml(version)}. ${escapeHtml(description)} The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<p>${tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' · ')} · <a href="#shapes">Shapes</a></p>
${sections.join('\n')}
<h2 id="shapes">Shapes</h2>
${shapes.join('\n')}
</html>
`
  return { status: 200, headers: pageHeaders({ styleHashes: [styleHash] }), body }
}

interface ShownOperation {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}

function renderOperation({ path, method, operation }: ShownOperation): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: place, required, schema, description: about }) =>
      `<tr><td><code>${escapeHtml(name)}</code><td>${place}${required ? ', required' : ''}<td>${escapeHtml(about ?? String(schema.type ?? 'value'))}`,
  )
  const body = requestBody?.content['application/json']?.schema
  const answers = Object.entries(responses).map(([status, { description: about, content }]) => {
    const schema = content?.['application/json']?.schema
    return `<tr><td>${escapeHtml(status)}<td>${renderCodes(about)}${schema === undefined ? '' : renderSchema(schema)}`
  })
  return `<details id="${escapeHtml(operationId)}"><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(summary)}</summary>
${description === undefined ? '' : `<p>${escapeHtml(description)}</p>`}
${rows.length === 0 ? '' : `<h4>Parameters</h4><table>${rows.join('')}</table>`}
${body === undefined ? '' : `<h4>Body</h4>${renderSchema(body)}`}
<h4>Answers</h4><table>${answers.join('')}</table></details>
`
}

/** The one piece of Markdown in the document: the links of the problem codes. Here they lead to the page beside this one. */
function renderCodes(text: string): string {
  return escapeHtml(text).replaceAll(
    /\[`(\w+)`\]\(https:\/\/[\w./#-]+\)/g,
    '<br><a href="/docs/problems#$1"><code>$1</code></a>',
  )
}

function renderSchema(schema: JsonSchema): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2))
  const linked = text.replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#shape-$1">$1</a>')
  return `<pre>${linked}</pre>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
