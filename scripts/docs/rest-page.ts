import { endpoints, type Access, type EndpointShape } from '@signalbox/contract/rest'
import { table } from './markdown.ts'

/** Every endpoint by topic, from the table that the router and the OpenAPI document are made of. */
export function renderRestPage(): string {
  const all: readonly EndpointShape[] = Object.values(endpoints)
  const tags = [...new Set(all.map(({ tag }) => tag))]
  return `# REST reference

The shapes of requests and answers are in the OpenAPI 3.1 document, which the service serves at \`/openapi.json\` and as a page at \`/docs\`.
[Problems](../problems.md) explains the rejections. Every endpoint can also answer with general codes: credentials, rate limits,
malformed requests, and failures of the service.

${tags.map((tag) => renderTag(tag, all)).join('\n\n')}
`
}

function renderTag(tag: string, all: readonly EndpointShape[]): string {
  const rows = all
    .filter((each) => each.tag === tag)
    .map((each) => [
      `\`${each.method} ${each.path}\``,
      each.summary,
      describeAccess(each.access),
      each.problems.map((code) => `[${code}](../problems.md#${code})`).join(', '),
    ])
  return `## ${tag}\n\n${table(['Endpoint', 'Does', 'For', 'Own problems'], rows)}`
}

function describeAccess(access: Access): string {
  switch (access.kind) {
    case 'open':
      return 'anyone'
    case 'identified':
      return 'any credential'
    case 'person':
      return 'people'
    case 'operator':
      return 'operators'
    case 'assistant':
      return 'assistants'
    case 'organization':
      return `${access.role}${access.verb === undefined ? '' : ` or a grant of \`${access.verb}\``}${{ none: '', m2m: ', server key', 'm2m+b2m': ', server or browser key' }[access.keys]}`
  }
}
