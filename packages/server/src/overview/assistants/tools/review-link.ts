import type { ToolContext } from '../tool.ts'
import type { ApiChange } from './change-input.ts'
import type { Schema } from './find-by-name.ts'

const mostCharacters = 6_000

/**
 * Returns the address at which the dashboard stages a proposal and opens its review. The values stand behind `#`, which no
 * browser sends. `null`: the proposal is too long for an address.
 */
export function toReviewLink(
  { linkTo }: Pick<ToolContext, 'linkTo'>,
  {
    schema,
    changes,
  }: { readonly schema: Pick<Schema, 'id'>; readonly changes: readonly ApiChange[] },
): string | null {
  const text = Buffer.from(JSON.stringify({ changes })).toString('base64url')
  if (text.length > mostCharacters) return null
  return linkTo({ page: 'config', search: { schema: schema.id } }, `proposal=${text}`)
}
