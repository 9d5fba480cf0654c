import type { ServerHttp2Stream } from 'node:http2'
import type { Problem } from '@signalbox/contract'
import { renderProblem } from '../../http/answers/problem-response.ts'

/** Lists the status codes of gRPC that we answer with. */
export const grpcCodes = {
  ok: 0,
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

/** Describes the end of a call. */
export interface GrpcStatus {
  readonly code: (typeof grpcCodes)[keyof typeof grpcCodes]
  readonly message: string
}

const codesOfStatuses: Readonly<Record<number, GrpcStatus['code']>> = {
  400: grpcCodes.invalidArgument,
  401: grpcCodes.unauthenticated,
  403: grpcCodes.permissionDenied,
  404: grpcCodes.notFound,
  413: grpcCodes.invalidArgument,
  422: grpcCodes.invalidArgument,
  429: grpcCodes.resourceExhausted,
  503: grpcCodes.unavailable,
}

/** Returns the status of a refused call. */
export function statusOf(problem: Problem, requestId: string): GrpcStatus {
  // Rendered as a problem first, because that hides the details of a 404.
  const { status, body } = renderProblem(problem, requestId)
  const { detail }: { readonly detail: string } = JSON.parse(body)
  return { code: codesOfStatuses[status] ?? grpcCodes.internal, message: detail }
}

/** Renders a status as the trailers of a call. */
export function renderTrailers({ code, message }: GrpcStatus): Record<string, string> {
  return {
    'grpc-status': String(code),
    // Percent-encoded as the specification of gRPC over HTTP/2 wants it: %, and all but printable ASCII.
    'grpc-message': message.replaceAll(/[^ -$&-~]+/g, encodeURIComponent),
  }
}

/** Ends a call that has sent nothing. */
export function refuseCall(stream: ServerHttp2Stream, status: GrpcStatus): void {
  if (stream.destroyed || stream.headersSent) return
  const headers = { ':status': 200, 'content-type': 'application/grpc', ...renderTrailers(status) }
  stream.respond(headers, { endStream: true })
}
