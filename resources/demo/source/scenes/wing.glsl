// The view from seat 31A: a sea of clouds, the wing, the last light, all in a rounded window.

float cover(vec2 p) { return fbm(p + 0.8 * vec2(fbm(p * 0.7 + 3.0, 4), fbm(p * 0.7 + 9.0, 4)), 7); }

vec3 outside(vec2 p) {
  float horizon = 0.16 - 0.05 * p.x, d = horizon - p.y;
  vec3 sky = mix(vec3(1.25, 0.62, 0.32), vec3(0.42, 0.46, 0.66), smoothstep(0.0, 0.28, -d));
  sky = mix(sky, vec3(0.10, 0.17, 0.38), smoothstep(0.15, 0.9, -d));
  vec2 sun = p - vec2(-0.42, horizon + 0.055);
  sky += vec3(1.3, 0.7, 0.3) * (0.6 * exp(-3.5 * length(sun * vec2(0.55, 1.0))) + 6.0 * smoothstep(0.040, 0.034, length(sun)));
  float wisps = smoothstep(0.5, 0.8, fbm(vec2(p.x * 1.2, p.y * 9.0) + 2.0, 5));
  sky = mix(sky, vec3(1.2, 0.66, 0.45), wisps * 0.45 * smoothstep(0.0, 0.1, -d) * smoothstep(0.5, 0.1, -d));
  if (d < 0.0) return sky;
  float z = 0.42 / (d + 0.018);
  vec2 q = vec2(p.x * z * 1.2, z * 1.9), light = vec2(-0.22, 0.30);
  float h = cover(q), relief = h - cover(q + light), fine = fbm(q * 3.1, 5);
  vec3 lit = vec3(1.30, 0.76, 0.48), shade = vec3(0.25, 0.27, 0.44);
  vec3 c = mix(shade, lit, clamp(0.38 + relief * 2.6 + 0.25 * (fine - 0.5), 0.0, 1.0));
  c *= 0.72 + 0.55 * smoothstep(0.3, 0.7, h);
  c += vec3(0.9, 0.42, 0.16) * exp(-5.0 * abs(p.x + 0.42)) * smoothstep(0.5, 0.0, d) * 0.5;
  return mix(c, vec3(1.12, 0.66, 0.46), exp(-d * 11.0) * 0.9);
}

vec3 photo(vec2 uv) {
  vec2 p = uv - vec2(0.0, 0.05);
  vec3 c = outside(p * 0.92);
  vec2 a = vec2(0.80, -0.62), b = vec2(-0.22, -0.03);
  vec2 along = b - a, w = p - a;
  float t = dot(w, along) / dot(along, along), off = (w.x * along.y - w.y * along.x) / length(along);
  float deep = mix(0.42, 0.055, clamp(t, 0.0, 1.0));
  if (t < 1.0 && off > -deep * 0.35 && off < deep) {
    float s = off / deep;
    vec3 metal = mix(vec3(0.34, 0.36, 0.44), vec3(0.13, 0.15, 0.22), smoothstep(-0.3, 0.9, s));
    metal += vec3(0.85, 0.42, 0.18) * smoothstep(-0.12, -0.34, s) * 0.9;
    metal *= 1.0 - 0.35 * smoothstep(0.012, 0.0, abs(s - 0.42)) - 0.3 * smoothstep(0.02, 0.0, abs(fract(t * 5.0) - 0.5) / 5.0) * step(0.42, s);
    c = mix(c, metal, smoothstep(0.0, 0.006, min(deep - off, off + deep * 0.35)) * smoothstep(1.0, 0.995, t));
  }
  vec2 tip = p - b;
  float winglet = max(abs(tip.x + 0.25 * tip.y + 0.005) - 0.022 + 0.06 * tip.y, max(-tip.y - 0.01, tip.y - 0.19));
  c = mix(c, vec3(0.42, 0.20, 0.16), smoothstep(0.004, -0.004, winglet));
  float scratch = smoothstep(0.0015, 0.0, abs(fract((turn(0.5) * p).x * 3.1) - 0.5) / 3.1) * step(0.72, noise(p * 3.0));
  c += vec3(0.05) * scratch + vec3(0.03, 0.025, 0.02) * fbm(p * 5.0, 4);
  float pane = box2(p, vec2(0.60, 0.80) - 0.34) - 0.34;
  vec3 panel = vec3(0.085, 0.082, 0.088) * (0.9 + 0.2 * noise(uv * 120.0)) + vec3(0.20, 0.11, 0.06) * smoothstep(0.30, 0.0, pane) * smoothstep(-0.6, 0.7, uv.x);
  float bevel = smoothstep(0.0, 0.075, pane);
  vec3 frame = mix(vec3(0.30, 0.21, 0.17) * (0.45 + 0.75 * smoothstep(-0.5, 0.6, uv.x - uv.y)), panel, bevel);
  frame *= 1.0 - 0.6 * smoothstep(0.012, 0.0, abs(pane - 0.078)) - 0.6 * smoothstep(0.012, 0.0, pane);
  return mix(c, frame, smoothstep(-0.003, 0.003, pane));
}
