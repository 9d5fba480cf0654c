/** The OpenAPI document that Discord publishes, as schemas of zod. The package has no types of them. */
declare module 'discord-api-spec/zod' {
  interface PublishedSchema {
    safeParse(
      value: unknown,
    ):
      | { readonly success: true; readonly data: unknown }
      | { readonly success: false; readonly error: { readonly issues: readonly unknown[] } }
  }
  export const CreateTextThreadWithMessageRequestSchema: PublishedSchema
  export const CreatedThreadResponseSchema: PublishedSchema
  export const ErrorResponseSchema: PublishedSchema
  export const GuildChannelResponseSchema: PublishedSchema
  export const GuildMemberResponseSchema: PublishedSchema
  export const GuildRoleResponseSchema: PublishedSchema
  export const GuildWithCountsResponseSchema: PublishedSchema
  export const MessageCreateRequestSchema: PublishedSchema
  export const MessageEditRequestPartialSchema: PublishedSchema
  export const MessageResponseSchema: PublishedSchema
  export const ThreadResponseSchema: PublishedSchema
  export const UserPIIResponseSchema: PublishedSchema
}
