import { spawn } from 'node:child_process'

type Environment = Readonly<Partial<Record<string, string>>>

/** How a page is opened where, and whether there is a screen to open it on. */
function openerOf(platform: NodeJS.Platform, env: Environment): readonly string[] | undefined {
  // Over SSH the browser would open on the other machine's screen, if it has one.
  if (env['SSH_CONNECTION'] !== undefined || env['SSH_TTY'] !== undefined) return undefined
  if (platform === 'darwin') return ['open']
  // Not through a shell, to which an address has special characters.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== ''
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens `url` in the person's browser if there seems to be one. Whether it opened cannot be known: print it as well. */
export function openPage(url: string, env: Environment, platform = process.platform): void {
  const [command, ...args] = openerOf(platform, env) ?? []
  if (command === undefined) return
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' })
  // There is no such program, and the address is on the screen.
  child.on('error', () => undefined)
  child.unref()
}
