import { open } from './access.ts'
import { declareEndpoints } from './endpoint.ts'

const common = {
  access: open,
  tag: 'Operation',
  rateClass: 'open',
  method: 'GET',
  // No screen shows these: files and pages of their own.
  topics: [],
} as const

/** Declares the endpoints that serve the dashboard alone. */
export const dashboardEndpoints = declareEndpoints(common)({
  readAsset: {
    // A file in memory costs no more than a rejection, and a whole office may open the dashboard from one address.
    rateClass: 'none',
    path: '/assets/{name}',
    summary: 'A script, style, font or image of the dashboard.',
    response: { status: 200, contentType: 'application/octet-stream' },
  },
})
