import { toHref, type AgentScope, type PageRef } from '@signalbox/contract'
import type { ResponseOf } from '@signalbox/contract/rest'
import type { z } from 'zod'
import type { ToolCall } from '../../http/call-endpoint.ts'
import type { JsonEndpoint } from '../../http/input/endpoint-request.ts'

/** Returns the address of a page of the dashboard, for the person; `fragment` is what only the browser reads. */
export type LinkTo = (page: PageRef, fragment?: string) => string

/** Holds what a tool works with. It reads and writes through endpoints alone. */
export interface ToolContext {
  readonly scope: AgentScope
  /** Calls an endpoint as the member whose token it is, with the checks of REST. */
  readonly call: <E extends JsonEndpoint>(endpoint: E, call?: ToolCall) => Promise<ResponseOf<E>>
  readonly linkTo: LinkTo
}

/** Describes a tool of assistants. */
export interface Tool<I extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Holds what a token needs for it. */
  readonly scope: AgentScope
  readonly input: I
  readonly run: (context: ToolContext, input: z.output<I>) => Promise<object>
}

/** Describes a tool whose input has been validated by its own shape. */
export type AnyTool = Omit<Tool, 'run'> & {
  readonly run: (context: ToolContext, input: unknown) => Promise<object>
}

export function defineTool<I extends z.ZodObject>({ run, ...tool }: Tool<I>): AnyTool {
  return { ...tool, run: async (context, input) => run(context, tool.input.parse(input)) }
}

/** Returns the function that makes links of an organization's pages. */
export function createLinkTo(publicUrl: () => string, slug: string): LinkTo {
  return (page, fragment) =>
    `${publicUrl()}/${slug}${toHref(page)}${fragment === undefined ? '' : `#${fragment}`}`
}
