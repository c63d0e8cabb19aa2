/**
 * Raw text to typed frames: text → JSON → the dialect's shapes → envelope → the channel's data →
 * `ServerFrame`, or a fault as a value.
 */
export { decodeFrame } from './decodeFrame.ts';
export { isChannelFrame, isKnownEvent } from './isChannelFrame.ts';
