// The sun comes up behind hills and their lake, mist and a boat drift over the water. As a video it takes 7 seconds.
#include "shapes.glsl"

const float LINE = -0.20;
const float TAKES = 7.0;

/** From 0, before the sun, to 1. */
float dawn() { return smoothstep(0.0, 1.0, now / TAKES); }

vec2 sunAt() { return vec2(0.46, mix(-0.04, 0.42, now / TAKES)); }

vec3 sky(vec2 p) {
  float up = max(p.y - LINE, 0.0), day = dawn();
  vec3 low = mix(vec3(0.62, 0.33, 0.30), vec3(1.12, 0.66, 0.36), day);
  vec3 high = mix(vec3(0.045, 0.075, 0.16), vec3(0.17, 0.30, 0.50), day);
  vec3 c = mix(low, high, pow(smoothstep(0.0, 1.25, up), 0.62));
  vec2 s = sunAt();
  float near = length((p - s) * vec2(1.0, 1.15));
  c += vec3(1.0, 0.46, 0.18) * (0.15 + 0.65 * day) * exp(-near * 2.4);
  // Thin clouds, lit from below.
  vec2 q = vec2(p.x * 0.9 - 0.022 * now, p.y * 4.2 + 0.25 * p.x);
  float cloud = smoothstep(0.46, 0.82, fbm(q + 0.7 * fbm(q * 1.7 + 3.0, 3), 5)) * smoothstep(0.12, 0.5, up) * (1.0 - 0.5 * smoothstep(0.8, 1.2, up));
  vec3 lit = mix(vec3(0.34, 0.17, 0.22), vec3(1.30, 0.72, 0.44), day * (0.35 + 0.65 * exp(-near * 0.9)));
  c = mix(c, lit, cloud * 0.75);
  return c + vec3(9.0, 6.4, 3.6) * smoothstep(0.058, 0.050, length(p - s));
}

/** Hills one behind the other, the nearest first; the last ones are the haze's, before the sky. */
vec3 land(vec2 p) {
  if (p.y > LINE + 0.46) return sky(p);
  float day = dawn();
  vec2 s = sunAt();
  for (int k = 4; k >= 0; k--) {
    float near = float(k) / 4.0;
    float shape = fbm(vec2(p.x * mix(0.75, 1.5, near) + 13.7 * float(k) + 2.0, 4.0), 6 - k / 3);
    float slope = k < 2 ? 0.10 * sin(p.x * 1.1 + 1.2 + float(k)) : 0.10 * sin(p.x * 1.3 - 1.6 * float(k));
    float top = LINE + mix(0.36, 0.02, near) * (0.30 + shape) + slope * (1.0 - near) + 0.05 * near;
    if (k == 4) top += 0.030 * pow(noise(vec2(p.x * 34.0, 2.0)), 2.0) + 0.018 * noise(vec2(p.x * 90.0, 7.0));
    if (p.y > top) continue;
    float glow = exp(-length((p - s) * vec2(0.75, 1.3)) * 1.7);
    vec3 haze = mix(vec3(0.17, 0.145, 0.22), vec3(0.60, 0.44, 0.40), day) + vec3(0.75, 0.33, 0.10) * glow * (0.12 + 0.80 * day);
    vec3 dark = mix(vec3(0.020, 0.026, 0.036), vec3(0.050, 0.052, 0.046), day);
    vec3 hill = mix(haze, dark, 0.16 + 0.81 * pow(near, 0.75));
    // Mist lies at the foot of each.
    float foot = exp(-max(p.y - LINE, 0.0) * mix(5.0, 16.0, near));
    if (foot < 0.08) return hill;
    float drift = fbm(vec2(p.x * 1.6 - 0.035 * now * (1.0 + near) + 9.0 * float(k), p.y * 9.0), 4);
    return mix(hill, haze * 1.12, clamp(foot * smoothstep(0.22, 0.70, drift) * 0.95, 0.0, 1.0));
  }
  return sky(p);
}

/** A boat and its angler, 1 where they are. `q` is from their waterline. */
float boat(vec2 q) {
  float hull = max(abs(q.y - 0.012) - 0.020, abs(q.x) - 0.125 - 0.9 * q.y) ;
  hull = max(hull, 0.022 * q.x * q.x * 20.0 - 0.035 + q.y * 0.4 - 0.02);
  float body = box2(q - vec2(-0.015, 0.058), vec2(0.010, 0.022)) - 0.012;
  float head = length(q - vec2(-0.006, 0.108)) - 0.0155;
  vec2 o = turn(0.42 + 0.03 * sin(now * 1.3)) * (q - vec2(0.012, 0.058));
  float rod = box2(o - vec2(0.062, 0.0), vec2(0.075, 0.0016)) - 0.0012;
  return smoothstep(0.003, -0.003, min(min(hull, rod), min(body, head)));
}

vec3 photo(vec2 uv) {
  float day = dawn();
  vec2 s = sunAt();
  vec2 at = vec2(-0.78 + 0.07 * now, -0.395);
  vec3 c;
  if (uv.y > LINE) c = land(uv);
  else {
    float depth = LINE - uv.y, far = 0.06 / (depth + 0.03);
    // Ripples run towards the lens, flatter with distance.
    vec2 w = vec2(uv.x * (2.0 + 3.0 * far), far * 7.0);
    float wave = noise(vec2(w.x * 1.4 + 0.12 * now, w.y * 2.4 + 0.55 * now)) + 0.5 * noise(vec2(w.x * 3.1 - 0.2 * now, w.y * 5.0 + 0.9 * now)) - 0.75;
    float calm = smoothstep(0.25, 0.65, noise(vec2(uv.x * 1.1 + 0.03 * now, depth * 5.0)));
    float bend = wave * (0.010 + 0.10 * depth) * (0.35 + 0.65 * calm);
    vec2 mirrored = vec2(uv.x + 0.5 * bend, 2.0 * LINE - uv.y + bend + 0.10 * depth);
    mirrored.y = max(mirrored.y, LINE + 0.002);
    c = land(mirrored) * mix(0.88, 0.52, smoothstep(0.0, 0.8, depth)) + vec3(0.004, 0.012, 0.020);
    // The path of the sun.
    float path = exp(-pow((uv.x - s.x) / (0.045 + 0.16 * depth), 2.0)) * smoothstep(0.12, 0.62, wave + 0.45) * smoothstep(0.02, 0.30, s.y - LINE - 0.24);
    c += vec3(2.3, 1.25, 0.55) * path * day * exp(-depth * 1.1);
    vec2 r = uv - at;
    c = mix(c, c * 0.16, boat(vec2(r.x + 0.35 * bend, -r.y * 1.05 - 0.012 + 0.25 * bend)) * step(r.y, 0.0) * 0.85);
  }
  // Mist above the water.
  float low = exp(-pow((uv.y - LINE + 0.012) * 11.0, 2.0));
  float veil = low < 0.01 ? 0.0 : smoothstep(0.30, 0.78, fbm(vec2(uv.x * 1.3 - 0.045 * now, uv.y * 7.0 + 0.02 * now), 4));
  vec3 white = mix(vec3(0.30, 0.26, 0.33), vec3(1.0, 0.70, 0.52), day * (0.45 + 0.55 * exp(-abs(uv.x - s.x) * 0.9)));
  c = mix(c, white, low * veil * 0.72);
  c = mix(c, mix(vec3(0.018, 0.020, 0.028), vec3(0.040, 0.034, 0.030), day), boat(uv - at));
  // Reeds at the lens, which the air moves.
  if (uv.y > -0.2) return c;
  for (int k = 0; k < 26; k++) {
    float i = float(k), root = mix(-1.82, -1.12, hash1(i * 1.7)) + (k > 19 ? 2.95 : 0.0);
    float tall = 0.30 + 0.44 * hash1(i * 3.1) - 0.30 * abs(root + 1.6) * step(root, 0.0);
    float h = (uv.y + 1.02) / tall;
    if (h < 0.0 || h > 1.0) continue;
    float lean = (hash1(i * 5.3) - 0.5) * 0.30 + 0.018 * sin(now * (0.9 + 0.5 * hash1(i)) + i);
    float x = root + lean * h * h;
    float wide = 0.0075 * (1.0 - 0.75 * h);
    if (hash1(i * 7.9) > 0.62) wide += 0.008 * smoothstep(0.03, 0.0, abs(h - 0.88) - 0.07);
    c = mix(c, vec3(0.012, 0.013, 0.016) + vec3(0.05, 0.025, 0.01) * day * h, smoothstep(wide + 0.003, wide - 0.003, abs(uv.x - x)) * 0.96);
  }
  return c;
}
