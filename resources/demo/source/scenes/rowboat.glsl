// A rowing boat on dark green water, from a bridge.

float hull(vec2 p, float wide) {
  float y = p.y / 0.86, w = wide * sqrt(max(0.0, 1.0 - pow(abs(y * 0.96 + 0.10), 2.4 + 0.6 * y)));
  w = y < -0.80 ? 0.0 : w;
  return max(abs(p.x) - w, abs(p.y + 0.02) - 0.84);
}

vec3 photo(vec2 uv) {
  vec2 flow = uv * vec2(2.2, 3.6);
  float ripple = fbm(flow + 0.8 * fbm(flow * 0.8, 4), 6);
  vec3 c = mix(vec3(0.006, 0.020, 0.016), vec3(0.035, 0.075, 0.060), smoothstep(0.30, 0.72, ripple));
  c += vec3(0.22, 0.28, 0.30) * pow(smoothstep(0.52, 0.80, fbm(flow * 1.3 + 1.6 * ripple + 4.0, 5)), 2.0) * smoothstep(-0.9, 0.9, uv.y + 0.5 * uv.x) * 0.9;
  for (int i = 0; i < 26; i++) {
    float k = float(i);
    vec2 at = vec2(1.7 * hash1(k * 3.1) - 0.85, 2.1 * hash1(k * 5.7) - 1.05), q = turn(k) * (uv - at);
    if (hash1(k * 2.0) > 0.5) at *= 1.2;
    float r = 0.018 + 0.020 * hash1(k * 7.0), leaf = max(length(q - vec2(r * 0.6, 0.0)) - r, length(q + vec2(r * 0.6, 0.0)) - r);
    c = mix(c, mix(vec3(0.42, 0.24, 0.03), vec3(0.30, 0.10, 0.02), hash1(k)) * (1.0 - 0.4 * smoothstep(0.003, 0.0, abs(q.x))), smoothstep(0.003, -0.002, leaf));
  }
  vec2 p = turn(0.52) * (uv - vec2(0.02, 0.02));
  float shadow = hull(p + vec2(0.075, 0.04), 0.335);
  c *= 1.0 - 0.80 * smoothstep(0.06, -0.05, shadow);
  float wake = hull(p, 0.35);
  c += vec3(0.10, 0.13, 0.12) * smoothstep(0.05, 0.0, wake) * smoothstep(0.5, 0.7, noise(vec2(wake * 90.0, p.y * 5.0)));
  float outer = hull(p, 0.320), inner = hull(p * vec2(1.0, 1.035), 0.282), floor_ = hull(p * vec2(1.0, 1.12), 0.205);
  vec3 paint = mix(vec3(0.60, 0.56, 0.46), vec3(0.44, 0.38, 0.28), smoothstep(0.45, 0.6, fbm(p * vec2(18.0, 5.0), 4)));
  c = mix(c, paint * (0.75 + 0.5 * smoothstep(-0.3, 0.3, p.x)), smoothstep(0.004, -0.004, outer));
  float grainX = noise(vec2(p.x * 150.0, p.y * 7.0));
  vec3 wood = vec3(0.24, 0.125, 0.055) * (0.65 + 0.6 * grainX) * (0.8 + 0.4 * fbm(p * 6.0, 3));
  float strake = abs(fract((abs(p.x) / 0.282) * 4.0) - 0.5);
  vec3 side = wood * (0.55 + 0.55 * smoothstep(0.25, -0.25, p.x)) * (1.0 - 0.5 * smoothstep(0.46, 0.5, strake));
  c = mix(c, side, smoothstep(0.004, -0.004, inner));
  float plank = abs(fract(p.x * 15.0) - 0.5);
  c = mix(c, wood * 0.62 * (1.0 - 0.65 * smoothstep(0.44, 0.5, plank)), smoothstep(0.004, -0.004, floor_));
  for (int i = 0; i < 7; i++) {
    float y = -0.60 + 0.19 * float(i);
    if (inner < 0.0 && floor_ > -0.01) c *= 1.0 - 0.5 * smoothstep(0.010, 0.004, abs(p.y - y));
  }
  for (int i = 0; i < 3; i++) {
    float y = i == 0 ? -0.58 : i == 1 ? -0.05 : 0.42, deep = i == 0 ? 0.085 : 0.062;
    if (inner < 0.0) {
      c *= 1.0 - 0.55 * smoothstep(0.05, 0.0, abs(p.y - y + 0.055) - deep);
      vec3 seat = vec3(0.40, 0.23, 0.10) * (0.7 + 0.5 * noise(vec2(p.y * 140.0, p.x * 7.0))) * (0.9 + 0.35 * smoothstep(-0.3, 0.3, p.x));
      c = mix(c, seat * (1.0 - 0.4 * smoothstep(0.005, 0.0, abs(p.y - y))), smoothstep(0.004, -0.004, abs(p.y - y) - deep));
    }
  }
  vec2 coil = p - vec2(0.02, 0.60);
  float turns = abs(fract(length(coil * vec2(1.0, 0.85)) * 42.0) - 0.5);
  if (length(coil * vec2(1.0, 0.85)) < 0.075) c = vec3(0.62, 0.52, 0.36) * (1.0 - 1.3 * turns) * (0.7 + 0.5 * step(0.5, fract(atan(coil.y, coil.x) * 7.0 + length(coil) * 60.0)));
  for (int i = 0; i < 2; i++) {
    float s = i == 0 ? -1.0 : 1.0;
    vec2 a = vec2(0.10 * s, 0.30), b = vec2(0.155 * s, -0.62);
    float shade = segment(p + vec2(0.022, 0.014), a, b) - 0.014;
    if (inner < 0.0) c *= 1.0 - 0.55 * smoothstep(0.012, -0.006, shade);
    float oar = segment(p, a, b) - 0.0115, d = dot(p - a, normalize(b - a));
    float blade = max(segment(p, mix(a, b, 0.74), b) - 0.036, -d + 0.68);
    c = mix(c, vec3(0.66, 0.46, 0.24) * (0.75 + 0.5 * smoothstep(-0.01, 0.01, p.x - mix(a.x, b.x, 0.5))), smoothstep(0.003, -0.003, min(oar, blade)));
  }
  vec2 bow = turn(0.52) * (uv - vec2(0.02, 0.02)) - vec2(0.0, 0.82);
  float rope = segment(bow, vec2(0.0), vec2(0.12 + 0.05 * sin(bow.y * 12.0), 0.5)) - 0.007;
  c = mix(c, vec3(0.55, 0.47, 0.33) * (0.6 + 0.6 * step(0.5, fract(bow.y * 40.0 + bow.x * 20.0))), smoothstep(0.003, -0.002, rope));
  return c * 1.5;
}
