/** Names the part of a run that its code host has shown. There is no other part beside it. */
export const hostShard = 'codehost'
