import type { ContextOf } from '../../providers/context.ts'
import { isAddressed, providersOfKind } from '../../providers/find-provider.ts'
import {
  createPipelineTokens,
  type PipelineTokenOptions,
  type PipelineTokens,
} from './verify-pipeline-token.ts'

/** Opens the reader of the tokens of every code host that this server knows an address of. */
export function openPipelineTokens({
  contextOf,
  ...options
}: Omit<PipelineTokenOptions, 'issuers'> & { readonly contextOf: ContextOf }): PipelineTokens {
  const issuers = providersOfKind('codehost')
    .filter(({ name }) => isAddressed(name, contextOf(name)))
    .flatMap(({ name, pipelineTokens }) => pipelineTokens?.(contextOf(name)) ?? [])
  return createPipelineTokens({ ...options, issuers })
}
