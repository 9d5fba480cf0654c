import { apiExamples, toCurl } from './api-examples.ts'
import { documentationBar, escapeHtml, renderDocumentPage } from './document-page.ts'
import type { RawAnswer } from '../input/endpoint-request.ts'
import type { JsonSchema } from '../openapi/json-schema.ts'
import type { OpenApiDocument, OpenApiOperation } from '../openapi/openapi.ts'
import { pageHeaders } from './security-headers.ts'

/** Renders the OpenAPI document as a page, which is whole without scripts and sends no request to another server. */
export function renderDocsPage(document: OpenApiDocument): RawAnswer {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))]
  const sections = tags.map((tag) => {
    const inTag = operations.filter(({ operation }) => operation.tags.includes(tag))
    return `<section class="endpoints"><h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${inTag.map(renderOperation).join('')}</section>`
  })
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      `<details id="shape-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${renderSchema(schema)}</details>`,
  )
  const { title, version, description } = document.info
  const content = `<h1>${escapeHtml(title)} API</h1>
<p>Version ${escapeHtml(version)}. ${renderMarks(description)} The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<h2 id="examples">Most used</h2>
<p>Create a key under <em>API keys</em> in the dashboard, and set it as <code>SIGNALBOX_TOKEN</code>.</p>
${renderExamples(operations, document)}
<h2 id="endpoints">Endpoints</h2>
<p class="filter"></p>
<p>${tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' · ')} · <a href="#shapes">Shapes</a></p>
${sections.join('\n')}
<h2 id="shapes">Shapes</h2>
${shapes.join('\n')}`
  const body = renderDocumentPage({
    title: `${title} API`,
    bar: documentationBar('/docs'),
    content,
  })
  return { status: 200, headers: pageHeaders(), body }
}

interface ShownOperation {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}

function renderExamples(
  operations: readonly ShownOperation[],
  { servers }: OpenApiDocument,
): string {
  const examples = apiExamples.flatMap(({ operationId, title, path, body }) => {
    const match = operations.find(({ operation }) => operation.operationId === operationId)
    if (match === undefined) return []
    const [server] = match.operation.servers ?? servers
    const command = toCurl(match.method.toUpperCase(), `${server?.url ?? ''}${path}`, body)
    return [
      `<h3>${escapeHtml(title)}</h3>
<pre tabindex="0"><code>${escapeHtml(`${command}\n`)}</code></pre>
<p><a href="#${escapeHtml(operationId)}">Parameters and answers of <code>${escapeHtml(operationId)}</code></a></p>`,
    ]
  })
  return examples.join('\n')
}

function renderOperation({ path, method, operation }: ShownOperation): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: location, required, schema, description: about }) =>
      `<tr><td><code>${escapeHtml(name)}</code><td>${location}${required ? ', required' : ''}<td>${renderMarks(about ?? String(schema.type ?? 'value'))}`,
  )
  const body = requestBody?.content['application/json']?.schema
  const answers = Object.entries(responses).map(([status, { description: about, content }]) => {
    const schema = content?.['application/json']?.schema
    return `<tr><td>${escapeHtml(status)}<td>${renderMarks(about)}${schema === undefined ? '' : renderSchema(schema)}`
  })
  return `<details id="${escapeHtml(operationId)}"><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> ${renderMarks(summary)}</summary>
${description === undefined ? '' : `<p>${renderMarks(description)}</p>`}
${rows.length === 0 ? '' : `<h4>Parameters</h4><table>${rows.join('')}</table>`}
${body === undefined ? '' : `<h4>Body</h4>${renderSchema(body)}`}
<h4>Answers</h4><table>${answers.join('')}</table></details>
`
}

/** Renders the Markdown of descriptions: code, and links of problem codes, which lead to the page beside this one. */
function renderMarks(text: string): string {
  return escapeHtml(text)
    .replaceAll(
      /\[`(\w+)`\]\(https?:\/\/[^\s()]+\/docs\/problems#\w+\)/g,
      '<br><a href="/docs/problems#$1"><code>$1</code></a>',
    )
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/^<br>/, '')
}

function renderSchema(schema: JsonSchema): string {
  const text = escapeHtml(JSON.stringify(schema, null, 2))
  const linked = text.replaceAll(/#\/components\/schemas\/(\w+)/g, '<a href="#shape-$1">$1</a>')
  return `<pre>${linked}</pre>`
}
