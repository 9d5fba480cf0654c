/** Describes the argument that names an outgoing webhook. */
export const nameParameter = {
  kind: 'tuple',
  parameters: [
    {
      brief: 'Name or id of the webhook',
      parse: (text: string) => text,
      placeholder: 'name',
    },
  ],
} as const
