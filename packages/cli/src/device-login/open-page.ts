import { spawn } from 'node:child_process'

type Environment = Readonly<Partial<Record<string, string>>>

/** Returns the command that opens a page on this platform, if there is a screen. */
function openerOf(platform: NodeJS.Platform, env: Environment): readonly string[] | undefined {
  // Over SSH the browser would open on the other machine.
  if (env['SSH_CONNECTION'] !== undefined || env['SSH_TTY'] !== undefined) return undefined
  if (platform === 'darwin') return ['open']
  // Runs without a shell, because addresses contain characters that are special there.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== ''
  return hasScreen ? ['xdg-open'] : undefined
}

/** Opens `url` in the person's browser if there seems to be one. Print the address as well, because the result is unknown. */
export function openPage(url: string, env: Environment, platform = process.platform): void {
  const [command, ...args] = openerOf(platform, env) ?? []
  if (command === undefined) return
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' })
  // The program is missing. The address has been printed.
  child.on('error', () => undefined)
  child.unref()
}
