/** The place in the plugin's file to which a stack points: `line:column`. */
export function placeIn(file: string, stack: string | undefined): string | undefined {
  const frame = stack?.split('\n').find((line) => line.includes(file));
  const position = frame === undefined ? null : /:(\d+):(\d+)\)?$/.exec(frame.trim());
  return position === null ? undefined : `${position[1]}:${position[2]}`;
}
