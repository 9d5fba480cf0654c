/** Returns SQL for the name of the chat that an organization has, or had last. `orgId` is SQL as well. */
export function latestChatProvider(orgId: string): string {
  return `(select provider from integrations where org_id = ${orgId} and kind = 'chat'
    order by (state = 'disconnected'), created_at desc limit 1)`
}
