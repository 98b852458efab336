#version 300 es
precision highp float;
precision highp int;
uniform vec2 uSize;
uniform int nSeed, nSamples;
uniform vec4 uParams;
/** Of a video frame, in seconds: its start time and its exposure time. */
uniform float uTime, uShutter;
out vec4 exposed;

const float PI = 3.14159265;
uint randomState;
int sampleIndex;
vec2 lensDrift, lightDrift;
/** The time of the current sample in a video, in seconds. */
float now;

uint pcg(uint v) {
  uint s = v * 747796405u + 2891336453u;
  uint w = ((s >> ((s >> 28u) + 4u)) ^ s) * 277803737u;
  return (w >> 22u) ^ w;
}

float random() {
  randomState = pcg(randomState);
  return float(randomState >> 8u) / 16777216.0;
}

vec2 random2() { return vec2(random(), random()); }

/** Evenly spread pairs over a pixel's samples (Roberts' R2 sequence, shifted by `drift`). */
vec2 spread(vec2 drift) { return fract(drift + float(sampleIndex) * vec2(0.7548776662, 0.5698402910)); }

#include "noise.glsl"
#include "shapes.glsl"
#include SCENE

void main() {
  vec3 sum = vec3(0.0);
  uvec2 pixel = uvec2(gl_FragCoord.xy);
  uint base = pcg(pixel.x + pcg(pixel.y + pcg(uint(nSeed))));
  randomState = base;
  vec2 filmDrift = random2();
  lensDrift = random2();
  lightDrift = random2();
  float shutterDrift = random();
  for (int i = 0; i < nSamples; i++) {
    sampleIndex = i;
    randomState = base + uint(i) * 9781u;
    now = uTime + uShutter * fract(shutterDrift + float(i) / float(nSamples));
    vec2 at = gl_FragCoord.xy + 1.3 * (spread(filmDrift) - 0.5);
    vec3 light = photo((2.0 * at - uSize) / uSize.y);
    if (any(isnan(light)) || any(isinf(light))) light = vec3(0.0);
    sum += min(light, vec3(24.0));
  }
  exposed = vec4(sum / float(nSamples), 1.0);
}
