/** Lists the emoji of messages about deployments. Other names stay as they are. */
const emojiByName = new Map([
  ['arrows_counterclockwise', '🔄'],
  ['bell', '🔔'],
  ['checkered_flag', '🏁'],
  ['construction', '🚧'],
  ['eyes', '👀'],
  ['fire', '🔥'],
  ['gear', '⚙️'],
  ['hourglass_flowing_sand', '⏳'],
  ['information_source', 'ℹ️'],
  ['large_blue_circle', '🔵'],
  ['large_green_circle', '🟢'],
  ['large_yellow_circle', '🟡'],
  ['link', '🔗'],
  ['lock', '🔒'],
  ['no_entry', '⛔'],
  ['no_entry_sign', '🚫'],
  ['package', '📦'],
  ['red_circle', '🔴'],
  ['rocket', '🚀'],
  ['rotating_light', '🚨'],
  ['tada', '🎉'],
  ['test_tube', '🧪'],
  ['ticket', '🎫'],
  ['warning', '⚠️'],
  ['white_check_mark', '✅'],
  ['white_circle', '⚪'],
  ['x', '❌'],
])

/** Returns the emoji of a name: `rocket` becomes 🚀. Unknown names stay as `:name:`. */
export function emojiOf(name: string): string {
  return emojiByName.get(name) ?? `:${name}:`
}

/** Replaces every `:name:` of a known emoji. */
export function withEmoji(text: string): string {
  return text.replaceAll(/:([a-z0-9_+-]+):/g, (_, name: string) => emojiOf(name))
}
