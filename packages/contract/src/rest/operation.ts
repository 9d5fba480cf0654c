import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const open = {
  access: { kind: 'open' },
  tag: 'Operation',
  rateClass: 'open',
  method: 'GET',
} as const

export const operationEndpoints = {
  readHealth: endpoint({
    ...open,
    rateClass: 'none',
    operationId: 'readHealth',
    path: '/healthz',
    summary: 'Whether the process runs.',
    response: { status: 200, body: z.object({ status: z.literal('ok'), version: z.string() }) },
    problems: [],
  }),
  readReadiness: endpoint({
    ...open,
    rateClass: 'probe',
    operationId: 'readReadiness',
    path: '/readyz',
    summary:
      'Whether the storage, its migrations and the queue can serve; 503 with the reasons when not.',
    response: {
      status: 200,
      body: z.object({
        status: z.enum(['ready', 'not_ready']),
        checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
      }),
    },
    problems: [],
  }),
  readMetrics: endpoint({
    ...open,
    rateClass: 'probe',
    operationId: 'readMetrics',
    path: '/metrics',
    summary: 'Metrics in Prometheus text format.',
    response: { status: 200, contentType: 'text/plain' },
    problems: [],
  }),
  readAsset: endpoint({
    ...open,
    // A file in memory costs no more than its refusal, and a whole office opens the dashboard from one address.
    rateClass: 'none',
    operationId: 'readAsset',
    path: '/assets/{name}',
    summary: 'A script, style, font or image of the dashboard.',
    response: { status: 200, contentType: 'application/octet-stream' },
    problems: [],
  }),
  readOpenApi: endpoint({
    ...open,
    operationId: 'readOpenApi',
    path: '/openapi.json',
    summary: 'This description, as OpenAPI 3.1.',
    response: { status: 200, body: z.unknown() },
    problems: [],
  }),
  readDocs: endpoint({
    ...open,
    operationId: 'readDocs',
    path: '/docs',
    summary: 'This description, as a page.',
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
  readProblems: endpoint({
    ...open,
    operationId: 'readProblems',
    path: '/docs/problems',
    summary: 'What each problem code means and what to do, as a page.',
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
  readGuide: endpoint({
    ...open,
    operationId: 'readGuide',
    path: '/docs/guide',
    summary: 'The contents of the documentation, as a page.',
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
  readGuidePage: endpoint({
    ...open,
    operationId: 'readGuidePage',
    path: '/docs/guide/{name}',
    summary: 'A page of the guide, and with `.md` behind its name the same as Markdown.',
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
  readReferencePage: endpoint({
    ...open,
    operationId: 'readReferencePage',
    path: '/docs/reference/{name}',
    summary: 'A page of the reference: settings, vocabulary, measurements. The same with `.md`.',
    response: { status: 200, contentType: 'text/html' },
    problems: [],
  }),
  readLlms: endpoint({
    ...open,
    operationId: 'readLlms',
    path: '/llms.txt',
    summary: 'The contents of the documentation, for programs that read it (https://llmstxt.org).',
    response: { status: 200, contentType: 'text/plain' },
    problems: [],
  }),
  readEveryPage: endpoint({
    ...open,
    operationId: 'readEveryPage',
    path: '/llms-full.txt',
    summary: 'All pages of the documentation as one text in Markdown.',
    response: { status: 200, contentType: 'text/plain' },
    problems: [],
  }),
} as const
